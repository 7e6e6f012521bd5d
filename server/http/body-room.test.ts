import { expect, test } from 'vitest';
import { createBodyRoom } from './body-room.ts';
import { networkOf } from './client-address.ts';

/** Bodies in a room for 100 bytes. @returns who has had to give way */
function world() {
  const room = createBodyRoom(100);
  const refused: string[] = [];
  const enter = (name: string, client: string) =>
    room.enter(networkOf(client), () => refused.push(name));
  return { refused, enter };
}

test('whose network holds the most gives way, however many clients it has', () => {
  const { refused, enter } = world();
  const many = Array.from({ length: 6 }, (_, count) =>
    enter(`eve ${count}`, `2001:db8:0:${count}::/64`),
  );
  for (const [count, place] of many.entries()) place.take(10 + count);
  const ada = enter('ada', '192.0.2.1');
  ada.take(20);
  expect(refused).toEqual([]);
  ada.take(10);
  expect(refused).toEqual(['eve 5']);
  ada.take(20);
  expect(refused).toEqual(['eve 5', 'eve 4']);
});

test('one that is too large for the room is refused itself', () => {
  const { refused, enter } = world();
  enter('ada', '192.0.2.1').take(40);
  enter('eve', '192.0.2.2').take(61);
  expect(refused).toEqual(['eve']);
});

test('what has arrived stays, and what is answered makes room', () => {
  const { refused, enter } = world();
  const ada = enter('ada', '192.0.2.1');
  ada.take(90);
  ada.arrived();
  enter('ben', '192.0.2.2').take(20);
  expect(refused).toEqual(['ben']);
  ada.leave();
  enter('cem', '192.0.2.3').take(90);
  expect(refused).toEqual(['ben']);
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
