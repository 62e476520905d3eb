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
with client.pipeline() as transaction:  # MULTI and EXEC
    transaction.set("event:2", "1", nx=True, ex=86400)
    transaction.set("event:2", "1", nx=True, ex=86400)
    transaction.bf().add("new", "a")  # creates the filter
    transaction.exists("event:2")
    replies = transaction.execute()
assert replies[:2] == [True, None] and int(replies[2]) == 1 and replies[3] == 1, replies
with client.pipeline() as transaction:
    transaction.set("event:3", "1", nx=True, ex=86400)
    transaction.incr("counter")  # is not offered
    try:
        transaction.execute()
        raise AssertionError("a rejected command must abort the transaction")
    except redis.exceptions.ResponseError as e:
        assert "unknown command 'INCRBY'" in str(e), e
assert client.exists("event:3") == 0
assert client.transaction(lambda each: each.set("event:3", "1", nx=True, ex=60)) == [True]
print("ok")
