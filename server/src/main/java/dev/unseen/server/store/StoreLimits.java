package dev.unseen.server.store;

/**
 * How much a keyspace holds.
 *
 * @param filters the largest number of filters with names
 * @param setMemory the bytes of each filter for keys of SET
 * @param deletedKeys the largest number of keys of SET that are deleted and have not expired
 * @param reservations the largest number of items of a filter that are reserved at a time
 */
public record StoreLimits(int filters, long setMemory, int deletedKeys, int reservations) {
  /** The default of the limits of deleted keys and of reservations. */
  public static final int DEFAULT = 100_000;

  /** Returns limits with the defaults for deleted keys and reservations. */
  public static StoreLimits of(int filters, long setMemory) {
    return new StoreLimits(filters, setMemory, DEFAULT, DEFAULT);
  }
}
