package dev.unseen.server.command;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Says why commands of Redis and RedisBloom are not offered that people send here. */
final class NotOffered {
  private static final String VALUES =
      "values are not stored, only whether a key was set; use SET key value NX EX seconds, and EXISTS";
  private static final String MEMBERS =
      "there are no exact sets and no scores; use BF.ADD and BF.EXISTS, which tell whether an item is new";
  private static final String STEPS =
      "each request is done on its own; BF.ADD, UN.ADMIT and SET key value NX EX seconds ask and remember in one step, UN.RESERVE and UN.COMMIT in two";
  private static final String CUCKOO =
      "a cuckoo filter fails when it is full, and deleting an item that was never added removes another; use BF.* or UN.*, and for deletion SET key value NX EX with DEL";

  private static final Map<String, String> REASONS = new HashMap<>();

  static {
    add(VALUES, "SETEX", "PSETEX", "GETSET", "GETDEL", "GETEX", "MGET", "MSET", "MSETNX", "APPEND");
    add(
        VALUES,
        "STRLEN",
        "SETRANGE",
        "GETRANGE",
        "INCR",
        "INCRBY",
        "INCRBYFLOAT",
        "DECR",
        "DECRBY");
    add(
        VALUES, "HSET", "HSETNX", "HGET", "HGETALL", "HINCRBY", "HDEL", "HEXISTS", "SETBIT",
        "GETBIT");
    add(MEMBERS, "SADD", "SISMEMBER", "SMISMEMBER", "SREM", "SCARD", "SMEMBERS", "ZADD", "ZSCORE");
    add(MEMBERS, "ZREM", "ZRANGE", "ZREMRANGEBYSCORE", "PFADD", "PFCOUNT");
    add(
        STEPS, "MULTI", "EXEC", "DISCARD", "WATCH", "UNWATCH", "EVAL", "EVALSHA", "SCRIPT",
        "FCALL");
  }

  private NotOffered() {}

  private static void add(String reason, String... names) {
    List.of(names).forEach(name -> REASONS.put(name, reason));
  }

  /** Returns why a command is not offered, and what to use instead; empty if nothing is known. */
  static String reason(String name) {
    String upper = name.toUpperCase(Locale.ROOT);
    return upper.startsWith("CF.") ? CUCKOO : REASONS.getOrDefault(upper, "");
  }
}
