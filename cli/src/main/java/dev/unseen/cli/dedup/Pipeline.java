package dev.unseen.cli.dedup;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

/**
 * Coordinates the threads of a run. It holds all batches, knows how far each of them is, and hands
 * out the next {@link Task} to a thread that has time. A batch is read, cut, settled, decided and
 * written; the order of batches is that in which they were read. One thread, the deciding one,
 * decides; all others help with the rest. With a single batch the threads take turns.
 *
 * <p>Signals come in here too, for they must wake the deciding thread when there is nothing to do.
 */
final class Pipeline {
  /** What there is to do before a batch is decided, and after it. */
  enum Step {
    /** Read bytes. One thread at a time. */
    READ,
    /** Cut them into records and hash the keys, ahead of the batches before. */
    CUT,
    /** Make sure of the records. One thread at a time, in order. */
    SETTLE,
    /** Write the next batch that is decided. One thread at a time, in order. */
    WRITE
  }

  /**
   * Something that any thread can do.
   *
   * @param batch the one to do it with; null for {@link Step#WRITE}, which takes what comes next
   */
  record Task(Step step, Batch batch) {}

  /** A batch this large has grown for a long record: two of them must not be out at once. */
  private static final int LONG_BATCH = 4 << 20;

  private final boolean alone; // one batch: a helper reads and settles, the other does the rest
  private final Deque<Batch> empty = new ArrayDeque<>(); // the last that came back goes first
  private final Deque<Batch> read = new ArrayDeque<>(); // and neither being settled nor settled
  private final Queue<Batch> full = new ArrayDeque<>();
  private final Queue<Batch> decided = new ArrayDeque<>();
  private boolean reading; // some thread does
  private boolean settling; // some thread does
  private Batch longOne; // which is settled and not given back
  private int idle; // threads that wait
  private boolean allRead;
  private Throwable readingFailure; // reported when all that was read before it is settled
  private Throwable failure;
  private volatile boolean stopped;
  private volatile boolean summaryWanted;

  Pipeline(List<Batch> batches) {
    alone = batches.size() == 1;
    empty.addAll(batches);
  }

  /** Waits for something to do; null if there will be nothing more. */
  synchronized Task await() throws InterruptedException {
    Task work = find(true);
    while (work == null && !hasEnded()) {
      idle++;
      wait();
      idle--;
      work = find(true);
    }
    return work;
  }

  /** Finds something that the deciding thread can help with, without waiting; null if none is. */
  synchronized Task poll() {
    return alone ? null : find(false);
  }

  /**
   * Finds the next thing to do. Reading comes first while others have time for the rest, and else
   * after it, because a read may wait forever.
   *
   * @param all whether to read and write, too, both of which may wait
   */
  private Task find(boolean all) {
    if (failure != null) {
      return null;
    }
    boolean canRead = all && !reading && !allRead && !empty.isEmpty();
    if (canRead && idle > 0) {
      return read();
    }
    if (canSettle()) {
      settling = true;
      return new Task(Step.SETTLE, read.poll());
    }
    for (Batch batch : read) {
      if (batch.cutting == Batch.Cutting.TO_DO) {
        batch.cutting = Batch.Cutting.BEING_DONE;
        return new Task(Step.CUT, batch);
      }
    }
    if (canRead) {
      return read();
    }
    return all && !alone && !decided.isEmpty() ? new Task(Step.WRITE, null) : null;
  }

  private Task read() {
    reading = true;
    return new Task(Step.READ, empty.poll());
  }

  synchronized void wasRead(Batch batch) {
    reading = false;
    batch.cutting = Batch.Cutting.TO_DO;
    read.add(batch);
    if (!alone) {
      notifyAll();
    }
  }

  /**
   * Takes an empty batch back: nothing follows, for this reason, or because the input has ended.
   */
  synchronized void nothingRead(Batch batch, Throwable why) {
    reading = false;
    allRead = true;
    readingFailure = why;
    giveBack(batch);
  }

  synchronized void wasCut(Batch batch) {
    batch.cutting = Batch.Cutting.DONE;
    notifyAll();
  }

  /**
   * Takes a batch back that can be decided.
   *
   * @param why null, or why no batch can follow it
   */
  synchronized void wasSettled(Batch batch, Throwable why) {
    settling = false;
    failure = why;
    if (batch.bytes().length > LONG_BATCH) {
      longOne = batch;
    }
    if (batch.count() > 0) { // also what came before a failure
      full.add(batch);
      notifyAll();
    } else {
      giveBack(batch);
    }
  }

  /** Records why no batch can follow. */
  synchronized void fail(Throwable why) {
    failure = why;
    notifyAll();
  }

  /** Returns a batch that can be decided; null if there is none yet. */
  synchronized Batch pollFull() {
    return full.poll();
  }

  /**
   * Waits for a batch that can be decided; null at the end, or if there is something to help with,
   * or a signal came, or the time was up, first.
   */
  synchronized Batch takeFull(long nanos) throws InterruptedException {
    long began = System.nanoTime();
    long left = nanos;
    while (full.isEmpty() && !hasEnded() && !hasHelp() && !isInterrupted() && left > 0) {
      idle++;
      TimeUnit.NANOSECONDS.timedWait(this, left);
      idle--;
      left = nanos - (System.nanoTime() - began);
    }
    return full.poll();
  }

  private boolean isInterrupted() {
    return stopped || summaryWanted;
  }

  private boolean hasHelp() {
    return !alone
        && failure == null
        && (canSettle() || read.stream().anyMatch(b -> b.cutting == Batch.Cutting.TO_DO));
  }

  private boolean canSettle() {
    Batch head = read.peek();
    return head != null && !settling && head.cutting != Batch.Cutting.BEING_DONE && longOne == null;
  }

  synchronized void putDecided(Batch batch) {
    decided.add(batch);
    if (!alone) {
      notifyAll();
    }
  }

  /** Returns the first batch that is decided and not written; null if there is none. */
  synchronized Batch pollDecided() {
    return decided.poll();
  }

  synchronized void giveBack(Batch batch) {
    longOne = longOne == batch ? null : longOne;
    empty.addFirst(batch);
    notifyAll();
  }

  /** Returns whether all batches were taken and no other follows. */
  synchronized boolean isOver() {
    return hasEnded() && full.isEmpty();
  }

  private boolean hasEnded() {
    return failure != null || (allRead && read.isEmpty() && !settling);
  }

  /** Returns why it ended; null at the end of the input. */
  synchronized Throwable failure() {
    return failure != null ? failure : readingFailure;
  }

  /** Asks to stop after the current batch. */
  void stop() {
    stopped = true;
    wake();
  }

  boolean isStopped() {
    return stopped;
  }

  void askForSummary() {
    summaryWanted = true;
    wake();
  }

  /** Returns whether a summary was requested since the last call. */
  boolean takeSummaryRequest() {
    boolean wanted = summaryWanted;
    if (wanted) {
      summaryWanted = false;
    }
    return wanted;
  }

  private synchronized void wake() {
    notifyAll();
  }
}
