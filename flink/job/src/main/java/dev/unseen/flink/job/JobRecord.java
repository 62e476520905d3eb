package dev.unseen.flink.job;

import org.apache.flink.api.common.typeinfo.TypeInformation;

/**
 * A record on its way through the job. It has the form that Flink serializes quickly: public
 * fields, and a constructor without arguments.
 */
public final class JobRecord {
  static final TypeInformation<JobRecord> TYPE = TypeInformation.of(JobRecord.class);

  private static final String[] NO_NAMES = {};
  private static final byte[][] NO_VALUES = {};

  /** The bytes of the record, without a line end; null if a message has no value. */
  public byte[] bytes;

  /** What is compared; null if the record has none, and then {@link #trouble} says why. */
  public byte[] key;

  /** The time in milliseconds since 1970. */
  public long time;

  /** Why the record has no key; null if it has one. */
  public String trouble;

  /** The timestamp of a message, which is passed on with it; null if the record is from a file. */
  public Long messageTime;

  /** The key of a message, which is passed on with it; null if there is none. */
  public byte[] messageKey;

  /** The names of the headers of a message, which are passed on with it. */
  public String[] headerNames = NO_NAMES;

  /** The values of these headers, each of which may be null. */
  public byte[][] headerValues = NO_VALUES;

  /** The partition that a message was read from. */
  public int partition;

  /** The place of a message in its partition. */
  public long offset;

  /** Creates an empty record. Flink requires this constructor. */
  public JobRecord() {}

  /** Creates a record that has a key. */
  static JobRecord of(byte[] bytes, byte[] key, long time) {
    JobRecord record = new JobRecord();
    record.bytes = bytes;
    record.key = key;
    record.time = time;
    return record;
  }

  /** Creates a record that cannot be used. */
  static JobRecord bad(byte[] bytes, String trouble) {
    JobRecord record = new JobRecord();
    record.bytes = bytes;
    record.trouble = trouble;
    return record;
  }
}
