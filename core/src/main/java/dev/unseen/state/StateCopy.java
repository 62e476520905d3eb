package dev.unseen.state;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Copies a state between two objects of the same shape. */
public final class StateCopy {
  private StateCopy() {}

  public static void copy(Stateful from, Stateful to) {
    Taker taker = new Taker();
    visit(from, taker);
    visit(to, new Giver(taker));
  }

  public static Storage storageOf(Stateful owner) {
    Taker taker = new Taker();
    visit(owner, taker);
    return Objects.requireNonNull(taker.words, "there is no storage");
  }

  private static void visit(Stateful owner, StateVisitor visitor) {
    try {
      owner.state(visitor);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // never thrown: no file is involved
    }
  }

  private static final class Taker implements StateVisitor {
    private final Deque<Long> numbers = new ArrayDeque<>();
    private @Nullable Storage words;

    @Override
    public long number(String name, long value, long min, long max) {
      numbers.add(value);
      return value;
    }

    @Override
    public double real(String name, double value) {
      numbers.add(Double.doubleToRawLongBits(value));
      return value;
    }

    @Override
    public void words(Storage storage, StorageCheck check) {
      words = storage;
    }
  }

  private static final class Giver implements StateVisitor {
    private final Taker taken;

    Giver(Taker taken) {
      this.taken = taken;
    }

    @Override
    public long number(String name, long value, long min, long max) {
      return taken.numbers.remove();
    }

    @Override
    public double real(String name, double value) {
      return Double.longBitsToDouble(taken.numbers.remove());
    }

    @Override
    public void words(Storage storage, StorageCheck check) {
      Storage words = Objects.requireNonNull(taken.words);
      for (long i = 0; i < storage.length(); ) {
        int from = storage.offset(i);
        int count = (int) Math.min(storage.chunk(i).length - from, storage.length() - i);
        System.arraycopy(words.chunk(i), words.offset(i), storage.chunk(i), from, count);
        i += count;
      }
    }
  }
}
