package dev.unseen.cli;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

/**
 * Where the reading thread and the deciding one meet: full batches go one way, and those that are
 * decided come back, to be written by whichever thread has time, and are empty then. With several
 * batches the two work at the same time; with a single one they take turns.
 *
 * <p>Signals come in here too, for they must wake the deciding thread when there is nothing to do.
 */
final class Handover {
  private final Deque<Batch> empty = new ArrayDeque<>(); // the last that came back goes first
  private final int batches;
  private final Queue<Batch> full = new ArrayDeque<>();
  private final Queue<Batch> decided = new ArrayDeque<>();
  private boolean ended;
  private Throwable failure;
  private volatile boolean stopped;
  private volatile boolean summaryWanted;

  Handover(List<Batch> batches) {
    this.batches = batches.size();
    empty.addAll(batches);
  }

  /**
   * Waits for an empty batch; null if none is there before one is decided and can be written.
   *
   * @param all whether to wait until all others are empty, too
   */
  synchronized Batch empty(boolean all) throws InterruptedException {
    int wanted = all ? batches : 1;
    while (empty.size() < wanted && decided.isEmpty()) {
      wait();
    }
    return empty.size() < wanted ? null : empty.poll();
  }

  /** Hands a full batch over. */
  synchronized void put(Batch batch) {
    full.add(batch);
    notifyAll();
  }

  /** Says that no batch follows, and why, if it was not the end of the input. */
  synchronized void end(Throwable why) {
    ended = true;
    failure = why;
    notifyAll();
  }

  /** A full batch, if one is there. */
  synchronized Batch poll() {
    return full.poll();
  }

  /** Waits for a full batch; null at the end, or if a signal came, or the time was up, first. */
  synchronized Batch take(long nanos) throws InterruptedException {
    long began = System.nanoTime();
    long left = nanos;
    while (full.isEmpty() && !ended && !stopped && !summaryWanted && left > 0) {
      TimeUnit.NANOSECONDS.timedWait(this, left);
      left = nanos - (System.nanoTime() - began);
    }
    return full.poll();
  }

  /** Hands a batch over that is decided. */
  synchronized void putDecided(Batch batch) {
    decided.add(batch);
    notifyAll();
  }

  /** The first batch that is decided and not written, if one is there. */
  synchronized Batch pollDecided() {
    return decided.poll();
  }

  /** Gives a batch back that is done. */
  synchronized void giveBack(Batch batch) {
    empty.addFirst(batch);
    notifyAll();
  }

  /** Whether all batches were taken and no other follows. */
  synchronized boolean isOver() {
    return ended && full.isEmpty();
  }

  /** Why it ended; null if it was the end of the input. */
  synchronized Throwable failure() {
    return failure;
  }

  /** Asks to stop after the batch at hand. */
  void stop() {
    stopped = true;
    wake();
  }

  boolean isStopped() {
    return stopped;
  }

  /** Asks for a summary. */
  void askForSummary() {
    summaryWanted = true;
    wake();
  }

  /** Whether a summary was asked for since the last call. */
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
