package dev.unseen.cli.plan;

import dev.unseen.plan.stream.RepeatSample;
import dev.unseen.plan.stream.StreamModel;

/**
 * Learns from the hashes of keys, in bounded memory, how many keys a stream has and how far back
 * each record's key was seen last.
 *
 * <p>Up to a million keys all is exact. Then it follows one key in two, chosen by their hashes, in
 * four, in eight and so on, so that the followed keys fit again; each stands for as many. Distances
 * of at most 262,144 records are nevertheless found for all keys, so that a few keys that make up
 * much of a stream are counted exactly, whether or not they are followed.
 *
 * <p>The number of keys is that of the followed ones times what each stands for. Its relative
 * standard error is at most one by the root of the followed keys, of which there are half a million
 * or more: 0.14 %.
 */
final class FollowedKeys {
  static final int MOST_KEYS = 1 << 20;
  static final int RECENT_RECORDS = 1 << 18;

  private final RepeatSample learned = new RepeatSample();
  private final int mostKeys;
  private final int recentRecords;
  private LastPositions last = new LastPositions();
  private LastPositions recent; // of the latest records; null while all keys are followed
  private LastPositions lessRecent;
  private long recentSince;
  private long records;
  private int halvings;

  FollowedKeys() {
    this(MOST_KEYS, RECENT_RECORDS);
  }

  FollowedKeys(int mostKeys, int recentRecords) {
    this.mostKeys = mostKeys;
    this.recentRecords = recentRecords;
  }

  void add(long hash) {
    records++;
    if (halvings == 0) {
      addExactly(hash);
    } else {
      addThinned(hash);
    }
    if (last.size() > mostKeys) {
      thin();
    }
  }

  private void addExactly(long hash) {
    long before = last.put(hash, records);
    if (before == 0) {
      learned.first();
    } else {
      learned.repeat(records - before);
    }
  }

  private void addThinned(long hash) {
    boolean followed = isFollowed(hash);
    long before = followed ? last.put(hash, records) : 0;
    long seen = putRecent(hash);
    if (seen > 0 && records - seen <= recentRecords) {
      learned.repeat(records - seen);
    } else if (before > 0) {
      learned.repeat(records - before, (double) oneIn());
    } else {
      learned.unknown();
    }
  }

  private boolean isFollowed(long hash) {
    return (hash & (oneIn() - 1)) == 0;
  }

  private long putRecent(long hash) {
    if (records - recentSince > recentRecords) {
      LastPositions spare = lessRecent;
      lessRecent = recent;
      recent = spare;
      recent.clear();
      recentSince = records;
    }
    long seen = recent.put(hash, records);
    return seen > 0 ? seen : lessRecent.get(hash);
  }

  /** Follows every second of the keys that were followed so far. */
  private void thin() {
    if (halvings == 0) {
      recent = new LastPositions();
      lessRecent = last.copy(Math.max(0, records - recentRecords), 0);
      recentSince = records;
    }
    halvings++;
    last = last.copy(0, oneIn() - 1);
  }

  /** Returns how many keys one followed key stands for. */
  long oneIn() {
    return 1L << halvings;
  }

  long records() {
    return records;
  }

  /** Returns how many keys there are: exactly, or about if not all are followed. */
  long keys() {
    return last.size() << halvings;
  }

  /** Returns what the number of keys is wrong by at most, in 95 of 100 cases, as a share of it. */
  double keysError() {
    return halvings == 0 ? 0 : 1.96 / Math.sqrt((double) last.size());
  }

  StreamModel model() {
    return learned.model();
  }
}
