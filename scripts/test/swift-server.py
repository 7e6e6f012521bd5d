"""
OpenStack Swift with its S3 interface, in one process on loopback. Usage: FOLDER.
Says its port on its standard output once it is ready. The account is test:tester with the secret `testing`.
"""

import eventlet

eventlet.monkey_patch()

import os
import sys

from eventlet import wsgi
from paste.deploy import loadapp
from swift.common import utils
from swift.common.ring import RingBuilder
from swift.common.wsgi import SwiftHttpProtocol

folder = sys.argv[1]
# Swift would read these from /etc/swift.
utils.HASH_PATH_PREFIX = utils.HASH_PATH_SUFFIX = b'test'

COMMON = f"""[DEFAULT]
swift_dir = {folder}
devices = {folder}/disk
mount_check = false
log_level = CRITICAL
"""
STORAGE = """[pipeline:main]
pipeline = app
[app:app]
use = egg:swift#{name}
"""
PROXY = """[pipeline:main]
pipeline = catch_errors listing_formats s3api tempauth slo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:s3api]
use = egg:swift#s3api
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
[filter:slo]
use = egg:swift#slo
"""


class Cache:
    """Stands in for memcached, which Swift wants for its tokens."""

    def __init__(self):
        self.values = {}

    def get(self, key, *_, **__):
        return self.values.get(key)

    def set(self, key, value, *_, **__):
        self.values[key] = value

    def delete(self, key, *_, **__):
        self.values.pop(key, None)


cache = Cache()


def serve(name, listener, settings):
    path = f'{folder}/{name}.conf'
    with open(path, 'w') as file:
        file.write(COMMON + settings)
    app = loadapp(f'config:{path}')

    def with_cache(environment, start):
        environment['swift.cache'] = cache
        return app(environment, start)

    eventlet.spawn(wsgi.server, listener, with_cache, log_output=False, protocol=SwiftHttpProtocol)


os.makedirs(f'{folder}/disk/sda')
listeners = {name: eventlet.listen(('127.0.0.1', 0)) for name in ('account', 'container', 'object')}
for name, listener in listeners.items():
    ring = RingBuilder(1, 1, 0)
    device = {'region': 0, 'zone': 0, 'device': 'sda', 'weight': 1}
    ring.add_dev({**device, 'ip': '127.0.0.1', 'port': listener.getsockname()[1]})
    ring.rebalance()
    ring.get_ring().save(f'{folder}/{name}.ring.gz')
for name, listener in listeners.items():
    serve(name, listener, STORAGE.format(name=name))
proxy = eventlet.listen(('127.0.0.1', 0))
serve('proxy', proxy, PROXY)
print(proxy.getsockname()[1], flush=True)
eventlet.Event().wait()
