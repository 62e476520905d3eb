package dev.unseen.server.command;

import dev.unseen.Option;
import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Window;
import dev.unseen.server.options.ServeOptions;
import dev.unseen.server.resp.Request;
import dev.unseen.server.resp.RespWriter;
import dev.unseen.server.store.FilterDefinition;
import dev.unseen.server.store.ServedFilter;
import dev.unseen.text.Parse;
import dev.unseen.text.Print;
import java.time.Duration;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The options of a new filter: RedisBloom's and ours. */
final class FilterArguments {
  double errorRate;
  long capacity; // 0: not given
  long expansion; // if it is given
  boolean expands;
  boolean nonScaling;
  private long memory; // 0: not given
  private Window window = Window.NONE;
  private Duration lateness; // null: not said
  private long itemMillis; // 0: not given
  private FilterKind kind; // null: not said

  FilterArguments(ServeOptions options) {
    errorRate = options.errorRate();
  }

  /** The work of a request on its filter. */
  interface Work {
    void run(ServedFilter filter, Request request, RespWriter reply);
  }

  /**
   * Runs work with the filter that a request names. If it does not exist, it is created first, in
   * another thread than that of the connections: a large one takes a while.
   */
  static void with(
      Context context,
      Client client,
      Request request,
      RespWriter reply,
      Supplier<FilterDefinition> definition,
      Work work) {
    String name = request.binary(1);
    ServedFilter found = context.keyspace().find(name);
    if (found != null) {
      work.run(found, request, reply);
      return;
    }
    Request copy = request.copy();
    client.later(
        () -> {
          ServedFilter created = context.keyspace().findOrCreate(name, definition.get());
          return r -> work.run(created, copy, r);
        });
  }

  /** Returns the definition of a filter without options. */
  static FilterDefinition usual(ServeOptions options) {
    return new FilterArguments(options).definition(options.memory());
  }

  /**
   * Takes one of our options and its value.
   *
   * @return the number of arguments that were taken, 0 if it is not one of our options
   */
  int take(Request request, int index) {
    if (Stream.of("MEMORY", "WINDOW", "LATENESS", "KIND", "EX", "PX")
        .noneMatch(o -> request.is(index, o))) {
      return 0;
    }
    if (index + 1 >= request.count()) {
      throw new CommandException("ERR %s needs a value".formatted(request.text(index)));
    }
    if (request.is(index, "EX") || request.is(index, "PX")) {
      itemMillis = NumberArguments.expiry(request, index);
      return 2;
    }
    String value = request.text(index + 1);
    try {
      if (request.is(index, "MEMORY")) {
        memory = Option.MEMORY.parse(value);
      } else if (request.is(index, "KIND")) {
        kind = Option.KIND.parse(value);
      } else if (request.is(index, "LATENESS")) {
        lateness = Option.MAX_LATENESS.parse(value);
      } else {
        if (!Parse.isDuration(value)) {
          throw new CommandException(
              "ERR WINDOW '%s' must be a time here, such as 90s, 15m, 24h or 7d; windows of records are for one stream"
                  .formatted(value));
        }
        window = Option.WINDOW.parse(value);
      }
    } catch (IllegalArgumentException e) {
      throw CommandException.of(e);
    }
    return 2;
  }

  /** Rejects a filter that is to grow: its client relies on all items being kept. */
  void requireNoExpansion() {
    if (expands && expansion > 0) {
      throw new CommandException(
          "ERR EXPANSION %d is not offered: a filter keeps its size, and evicts its least useful items when it is full; leave EXPANSION out and give the capacity that is needed, or use NONSCALING, which rejects items instead"
              .formatted(expansion));
    }
  }

  /**
   * Returns the definition of the filter.
   *
   * @param otherwise the bytes of a filter without capacity and memory
   */
  FilterDefinition definition(long otherwise) {
    if (itemMillis > 0 && (nonScaling || !window.isNone() || lateness != null)) {
      throw new CommandException(
          "ERR EX and PX give each item an expiry, which NONSCALING, WINDOW and LATENESS contradict; leave out one of them");
    }
    if (nonScaling) {
      if (!window.isNone() || (kind != null && kind != FilterKind.BLOOM)) {
        throw new CommandException(
            "ERR NONSCALING means that nothing is evicted, which only the kind bloom without a window does; leave out NONSCALING, or WINDOW and KIND");
      }
      kind = FilterKind.BLOOM;
    }
    FilterKind chosen = kind == null ? FilterKind.RECENCY : kind;
    if (errorRate < FilterSpec.MIN_MAX_FPR) {
      throw new CommandException(
          "ERR error rate (%s) must be at least %s; hashes of 64 bits allow no less"
              .formatted(errorRate, FilterSpec.MIN_MAX_FPR));
    }
    boolean sized = capacity > 0 && (chosen == FilterKind.RECENCY || chosen == FilterKind.BLOOM);
    long bytes = memory > 0 ? memory : sized ? 0 : otherwise;
    return new FilterDefinition(
        errorRate,
        capacity,
        nonScaling,
        bytes,
        itemMillis > 0 ? FilterDefinition.windowFor(itemMillis) : lateWindow(),
        chosen,
        0,
        itemMillis,
        0);
  }

  /**
   * Returns the changed definition of a filter: what is not given stays as it is. A capacity that
   * is given without a memory sets the memory, too.
   */
  FilterDefinition changed(FilterDefinition before, boolean rateGiven) {
    if (itemMillis > 0 || kind != null || (before.itemMillis() > 0 && !window.isNone())) {
      throw new CommandException(
          "ERR BF.RESIZE changes MEMORY, CAPACITY, ERROR and WINDOW; create another filter for another KIND or EX");
    }
    if (before.nonScaling() && !window.isNone()) {
      throw new CommandException("ERR a NONSCALING filter evicts nothing, so it has no WINDOW");
    }
    if (lateness == null && !window.isNone() && before.window().lateness() > 0) {
      lateness =
          before.window().lateness() == before.window().length()
              ? null
              : Duration.ofMillis(before.window().lateness());
    }
    return before.changedTo(
        rateGiven ? errorRate : before.errorRate(),
        capacity > 0 || memory > 0 ? capacity : before.capacity(),
        capacity > 0 || memory > 0 ? memory : before.memory(),
        window.isNone() ? before.window() : lateWindow());
  }

  /**
   * Returns the window with the lateness that was asked for, or of one window: any client may send
   * items with event times.
   */
  private Window lateWindow() {
    if (window.isNone()) {
      if (lateness != null) {
        throw new CommandException(
            "ERR LATENESS %s needs a WINDOW; add one, or leave LATENESS out"
                .formatted(Print.duration(lateness)));
      }
      return window;
    }
    try {
      return window.withLateness(lateness == null ? Duration.ofMillis(window.length()) : lateness);
    } catch (IllegalArgumentException e) {
      throw CommandException.of(e);
    }
  }
}
