import { expect, test } from 'vitest';
import { createBodyRoom } from './body-room.ts';
import { networkOf } from './client-address.ts';

/** Bodies in a room for 100 bytes. @returns who has had to give way */
function world(freeBytes = 0) {
  const room = createBodyRoom(100, freeBytes);
  const refused: string[] = [];
  const enter = (name: string, client: string) =>
    room.enter(networkOf(client), () => refused.push(name));
  return { refused, enter };
}

test('whose network holds the most gives way, however many clients it has', () => {
  const { refused, enter } = world();
  const many = Array.from({ length: 4 }, (_, count) =>
    enter(`eve ${count}`, `2001:db8:0:${count}::/64`),
  );
  for (const [count, place] of many.entries()) place.take(10 + count);
  enter('bob', '192.0.2.2').take(30);
  const ada = enter('ada', '192.0.2.1');
  ada.take(20);
  expect(refused).toEqual([]);
  ada.take(10);
  expect(refused).toEqual(['eve 3']);
  ada.take(15);
  // Hers is the network that holds the most now.
  expect(refused).toEqual(['eve 3', 'ada']);
});

test('one network holds at most half, and what is too much of its own is refused', () => {
  const { refused, enter } = world();
  enter('ada', '192.0.2.1').take(40);
  enter('eve', '192.0.2.2').take(51);
  expect(refused).toEqual(['eve']);
  enter('eve 2', '192.0.2.3').take(30);
  enter('eve 3', '192.0.2.3').take(25);
  expect(refused).toEqual(['eve', 'eve 2']);
});

test('what has arrived stays, keeps no form out, and makes room once it is answered', () => {
  const { refused, enter } = world(5);
  const arrived = ['192.0.2.1', '192.0.2.2'].map((client) => {
    const place = enter(client, client);
    place.take(55);
    place.arrived();
    return place;
  });
  enter('form', '192.0.2.3').take(5);
  expect(refused).toEqual([]);
  enter('letter', '192.0.2.3').take(6);
  expect(refused).toEqual(['letter']);
  arrived[0]?.leave();
  enter('again', '192.0.2.3').take(50);
  expect(refused).toEqual(['letter']);
});

test('bytes that are passed on take no room', () => {
  const { refused, enter } = world();
  const ada = enter('ada', '192.0.2.1');
  for (let piece = 0; piece < 10; piece += 1) {
    ada.take(50);
    ada.take(-50);
  }
  expect(refused).toEqual([]);
});
