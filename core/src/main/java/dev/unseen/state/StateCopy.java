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
    Copier copier = new Copier();
    copier.visit(from);
    copier.gives = true;
    copier.visit(to);
  }

  public static Words storageOf(Stateful owner) {
    Copier copier = new Copier();
    copier.visit(owner);
    return Objects.requireNonNull(copier.taken, "there is no storage");
  }

  /** Takes the values of one object, and then gives them to another. */
  private static final class Copier implements StateVisitor {
    private final Deque<Long> numbers = new ArrayDeque<>();
    private @Nullable Words taken;
    private boolean gives;

    void visit(Stateful owner) {
      try {
        owner.state(this);
      } catch (IOException e) {
        throw new UncheckedIOException(e); // never thrown: no file is involved
      }
    }

    @Override
    public long number(String name, long value, long min, long max) {
      if (gives) {
        return numbers.remove();
      }
      numbers.add(value);
      return value;
    }

    @Override
    public double real(String name, double value, double min, double max) {
      long bits = number(name, Double.doubleToRawLongBits(value), 0, 0);
      return Double.longBitsToDouble(bits);
    }

    @Override
    public void words(Words words, StorageCheck check) {
      if (!gives) {
        taken = words;
        return;
      }
      Words from = Objects.requireNonNull(taken);
      for (long i = 0; i < words.length(); ) {
        int at = Words.inChunk(i);
        int count = (int) Math.min(words.chunk(i).length - at, words.length() - i);
        System.arraycopy(from.chunk(i), at, words.chunk(i), at, count);
        i += count;
      }
    }
  }
}
