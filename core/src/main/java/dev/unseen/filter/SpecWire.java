package dev.unseen.filter;

import dev.unseen.hash.HashKind;
import java.nio.ByteBuffer;

/** Writes and reads specs in files: see {@code docs/snapshot-format.md}. */
final class SpecWire {
  static final int BYTES = 100;

  private static final int HASH = 0;
  private static final int KIND = 4;
  private static final int MEMORY = 12;
  private static final int SEED = 20;
  private static final int RESERVED = 52; // always 1.0

  private SpecWire() {}

  static void write(FilterSpec spec, ByteBuffer to) {
    int at = to.position();
    to.position(at + BYTES);
    to.putInt(at + HASH, spec.hash().wireId());
    to.putInt(at + KIND, spec.kind().wireId());
    to.putLong(at + MEMORY, spec.memoryBytes());
    to.putLong(at + SEED, spec.seed());
    to.putDouble(at + RESERVED, 1);
    Parameter.all().forEach(parameter -> parameter.write(spec, to, at));
  }

  static FilterSpec read(ByteBuffer from) {
    int at = from.position();
    from.position(at + BYTES);
    HashKind hash = HashKind.ofWireId(from.getInt(at + HASH));
    FilterKind kind = FilterKind.ofWireId(from.getInt(at + KIND));
    if (from.getDouble(at + RESERVED) != 1) {
      throw new IllegalArgumentException(
          "a number that is not used (%s) must be 1".formatted(from.getDouble(at + RESERVED)));
    }
    Object[] values = new Object[Parameter.all().size()];
    Parameter.all().forEach(parameter -> values[parameter.index()] = parameter.read(from, at));
    return new FilterSpec(
        kind, from.getLong(at + MEMORY), from.getLong(at + SEED), hash, null, values);
  }
}
