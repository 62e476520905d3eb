package dev.unseen.server.resp;

/**
 * The limits of a request.
 *
 * @param arguments the largest number of arguments
 * @param argumentBytes the largest number of bytes in one argument
 * @param requestBytes the largest number of bytes in a whole request
 */
public record RequestLimits(int arguments, int argumentBytes, int requestBytes) {
  /** The limits before authentication, as in Redis. */
  public static final RequestLimits UNAUTHENTICATED = new RequestLimits(10, 16 << 10, 64 << 10);

  private static final int LEAST_ARGUMENT = 6; // bytes: $0, two line ends
  private static final int PLACE = 2 * Integer.BYTES;

  /** Returns the bytes of memory that the places of all arguments of a request need at most. */
  public long placesBytes() {
    long count = Math.min(arguments, requestBytes / LEAST_ARGUMENT);
    return 2 * PLACE * count; // arrays grow by doubling
  }

  /** The largest number of bytes in an inline command. */
  static final int INLINE_BYTES = 64 << 10;
}
