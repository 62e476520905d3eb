package dev.unseen.server.command;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The reasons why some commands of Redis and RedisBloom are not offered. */
final class UnsupportedCommands {
  private static final String VALUES =
      "values are not stored, only whether a key was set; use SET key value NX EX seconds, and EXISTS";
  private static final String MEMBERS =
      "there are no exact sets and no scores; use BF.ADD and BF.EXISTS, which return whether an item is new";
  private static final String STEPS =
      "each request is run alone; BF.ADD, UN.ADMIT and SET key value NX EX seconds check and remember in one step, UN.RESERVE and UN.COMMIT in two";
  private static final String UNCHANGED =
      "keys cannot be watched for changes; SET key value NX EX seconds checks and sets in one step, also between MULTI and EXEC";
  private static final String CUCKOO =
      "a cuckoo filter fails when it is full, and deleting an item that was never added removes another; use BF.* or UN.*, and for deletion SET key value NX EX with DEL";
  private static final String COUNTS =
      "items are not counted one by one; BF.ADD and BF.EXISTS return whether an item is new, BF.CARD and UN.REPORT how many there are";
  private static final String MESSAGES =
      "this server passes on no messages; use Redis for them, and BF.ADD here to drop duplicates";
  private static final String ALONE =
      "this server is one process without replicas; connect to it as to a single Redis, not as to a cluster";
  private static final String EXPIRY =
      "a filter expires after a time, not at a date; use EXPIRE or PEXPIRE, and for keys SET key value NX EXAT seconds";
  private static final String NAME =
      "a filter keeps its name; create another with the same options, add the items with UN.MERGE, then DEL the first";
  private static final String INSIDE =
      "nothing is known of when a key was used or how it is stored; use EXISTS, BF.INFO or UN.REPORT";
  private static final String SAVING = "a save shortens the journal; use BGSAVE";
  private static final String TESTING =
      "the inside of the server cannot be changed or shown for tests; use BF.INFO, UN.REPORT, INFO and SLOWLOG GET";
  private static final String DUMPS =
      "a filter is copied as a file; SAVE, copy key-NAME.uns to the --dir of the other server, and start that one";
  private static final String LISTED =
      "keys of SET are not listed, and filters only by name; use SCAN or KEYS for the names of filters";

  private static final Map<String, String> REASONS = new HashMap<>();

  static {
    add(
        VALUES,
        "SETEX PSETEX GETSET GETDEL GETEX MGET MSET MSETNX APPEND STRLEN SETRANGE GETRANGE INCR"
            + " INCRBY INCRBYFLOAT DECR DECRBY SETBIT GETBIT BITCOUNT");
    add(VALUES, "HSET HSETNX HMSET HGET HMGET HGETALL HINCRBY HDEL HEXISTS HLEN HKEYS HVALS HSCAN");
    add(
        VALUES,
        "LPUSH RPUSH LPUSHX RPUSHX LPOP RPOP BLPOP BRPOP LMOVE LRANGE LLEN LINDEX LREM LTRIM LPOS"
            + " XADD XREAD XREADGROUP XRANGE XLEN XACK");
    add(
        MEMBERS,
        "SADD SISMEMBER SMISMEMBER SREM SCARD SMEMBERS SPOP SSCAN ZADD ZSCORE ZREM ZRANGE ZCARD"
            + " ZINCRBY ZRANK ZRANGEBYSCORE ZREMRANGEBYSCORE ZSCAN PFADD PFCOUNT PFMERGE");
    add(STEPS, "EVAL EVALSHA SCRIPT FCALL FUNCTION");
    add(UNCHANGED, "WATCH");
    add(MESSAGES, "SUBSCRIBE PSUBSCRIBE SSUBSCRIBE UNSUBSCRIBE PUNSUBSCRIBE PUBLISH PUBSUB");
    add(ALONE, "CLUSTER WAIT WAITAOF REPLICAOF SLAVEOF REPLCONF SYNC PSYNC SENTINEL");
    add(EXPIRY, "EXPIREAT PEXPIREAT EXPIRETIME PEXPIRETIME");
    add(NAME, "RENAME RENAMENX COPY MOVE");
    add(INSIDE, "TOUCH OBJECT");
    add(SAVING, "BGREWRITEAOF");
    add(TESTING, "DEBUG BF.DEBUG");
    add(DUMPS, "DUMP RESTORE MIGRATE BF.SCANDUMP BF.LOADCHUNK");
    add(LISTED, "RANDOMKEY");
  }

  private UnsupportedCommands() {}

  private static void add(String reason, String names) {
    List.of(names.split(" ", -1)).forEach(name -> REASONS.put(name, reason));
  }

  /** Returns why a command is not offered, and what to use instead; empty if nothing is known. */
  static String reason(String name) {
    String upper = name.toUpperCase(Locale.ROOT);
    return switch (upper.substring(0, upper.indexOf('.') + 1)) { // the family, such as CF.
      case "CF." -> CUCKOO;
      case "CMS.", "TOPK.", "TDIGEST." -> COUNTS;
      default -> REASONS.getOrDefault(upper, "");
    };
  }
}
