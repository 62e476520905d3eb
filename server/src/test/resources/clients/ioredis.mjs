// Exercises a server with ioredis: node ioredis.mjs PORT
import assert from 'node:assert';
import { Redis } from 'ioredis';

const client = new Redis(Number(process.argv[2]), '127.0.0.1', { connectionName: 'me' });
assert.equal(await client.ping(), 'PONG');
assert.equal(await client.call('BF.RESERVE', 'f', '0.001', '1000'), 'OK');
assert.equal(await client.call('BF.ADD', 'f', 'a'), 1);
assert.deepEqual(await client.call('BF.MADD', 'f', 'a', 'b'), [0, 1]);
assert.equal(await client.set('event:1', '1', 'EX', 86400, 'NX'), 'OK');
assert.equal(await client.set('event:1', '1', 'EX', 86400, 'NX'), null);
assert.equal(await client.exists('event:1', 'f'), 2);
const replies = await client.pipeline().call('BF.ADD', 'f', 'p').call('BF.ADD', 'f', 'p').exec();
assert.deepEqual(replies, [[null, 1], [null, 0]]);
const transaction = client.multi().set('event:2', '1', 'EX', 86400, 'NX').set('event:2', '1', 'EX', 86400, 'NX');
assert.deepEqual(await transaction.call('BF.ADD', 'new', 'a').exists('event:2').exec(), [[null, 'OK'], [null, null], [null, 1], [null, 1]]);
await assert.rejects(client.multi().set('event:3', '1', 'EX', 86400, 'NX').incr('counter').exec(), /EXECABORT/);
await client.multi({ pipeline: false });
assert.equal(await client.set('event:3', '1', 'EX', 86400, 'NX'), 'QUEUED');
assert.equal(await client.discard(), 'OK');
assert.equal(await client.exists('event:3'), 0);
await client.quit();
console.log('ok');
