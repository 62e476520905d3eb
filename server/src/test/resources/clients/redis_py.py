"""Exercises a server with redis-py, in RESP2 or RESP3: python3 redis_py.py PORT 2|3"""
import sys

import redis

client = redis.Redis(
    port=int(sys.argv[1]), protocol=int(sys.argv[2]), client_name="me", decode_responses=True
)
assert client.ping()
bf = client.bf()
assert bf.reserve("f", 0.001, 1000)
assert bf.add("f", "a") == 1
assert bf.add("f", "a") == 0
assert [int(x) for x in bf.madd("f", "a", "b")] == [0, 1]
assert [int(x) for x in bf.insert("f", ["b", "c"])] == [0, 1]
assert bf.exists("f", "c") == 1
assert bf.card("f") == 3
info = bf.info("f")
capacity = info["Capacity"] if isinstance(info, dict) else info.capacity
assert int(capacity) == 1000, info
assert client.set("event:1", "1", nx=True, ex=86400) is True
assert client.set("event:1", "1", nx=True, ex=86400) is None
assert client.delete("event:1") == 1
with client.pipeline(transaction=False) as pipeline:
    for i in range(200):
        pipeline.execute_command("BF.ADD", "f", "x%d" % (i % 100))
    assert sum(int(x) for x in pipeline.execute()) == 100
print("ok")
