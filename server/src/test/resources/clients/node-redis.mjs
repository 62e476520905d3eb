// Exercises a server with node-redis, in RESP2 or RESP3: node node-redis.mjs PORT 2|3
import assert from 'node:assert';
import { createClient } from 'redis';

const [port, protocol] = process.argv.slice(2).map(Number);
const client = createClient({ url: `redis://127.0.0.1:${port}`, RESP: protocol, name: 'me' });
client.on('error', (e) => { console.error(e); process.exit(1); });
await client.connect();
const yes = (answer) => assert.ok(answer === true || answer === 1, String(answer));
const no = (answer) => assert.ok(answer === false || answer === 0, String(answer));

assert.equal(await client.ping(), 'PONG');
assert.equal(await client.bf.reserve('f', 0.001, 1000), 'OK');
yes(await client.bf.add('f', 'a'));
no(await client.bf.add('f', 'a'));
const many = await client.bf.mAdd('f', ['a', 'b']);
no(many[0]);
yes(many[1]);
yes(await client.bf.exists('f', 'b'));
assert.equal(Number(await client.bf.card('f')), 2);
const info = await client.bf.info('f');
assert.equal(Number(info.Capacity), 1000);
assert.equal(Number(info['Number of items inserted']), 2);
const once = { condition: 'NX', expiration: { type: 'EX', value: 86400 } };
assert.equal(await client.set('event:1', '1', once), 'OK');
assert.equal(await client.set('event:1', '1', once), null);
const answers = await Promise.all([...Array(500).keys()].map((i) => client.bf.add('f', 'x' + (i % 250))));
assert.equal(answers.filter(Boolean).length, 250);
const replies = await client.multi().set('event:2', '1', once).set('event:2', '1', once).bf.add('new', 'a').exists('event:2').exec();
assert.deepEqual([replies[0], replies[1], Number(replies[2]), replies[3]], ['OK', null, 1, 1]);
await assert.rejects(client.multi().set('event:3', '1', once).incr('counter').exec(), /EXECABORT|unknown command/);
assert.equal(await client.exists('event:3'), 0);
await client.quit().catch(() => client.close());
console.log('ok');
