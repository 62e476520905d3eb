package dev.unseen.server.command;

import dev.unseen.filter.FilterKind;
import dev.unseen.filter.FilterSpec;
import dev.unseen.filter.Window;
import dev.unseen.server.options.ServeOptions;
import dev.unseen.server.resp.Request;
import dev.unseen.server.store.FilterDefinition;
import dev.unseen.server.store.ServedFilter;
import dev.unseen.text.Parse;

/** What a client says about a new filter: RedisBloom's options and ours. */
final class FilterArguments {
  private static final int DEFAULT_EXPANSION = 2;

  double errorRate;
  long capacity; // 0: not said
  long expansion = DEFAULT_EXPANSION;
  boolean expands;
  boolean nonScaling;
  private long memory; // 0: not said
  private Window window = Window.NONE;
  private FilterKind kind; // null: not said

  FilterArguments(ServeOptions options) {
    errorRate = options.errorRate();
  }

  /** Returns the filter that a request names. If it is not there, it is created as usual. */
  static ServedFilter findOrCreate(Request request, Context context) {
    String name = request.binary(1);
    ServedFilter found = context.keyspace().find(name);
    if (found != null) {
      return found;
    }
    return context.keyspace().findOrCreate(name, usual(context.options()));
  }

  /** Returns the definition of a filter about which nothing was said. */
  static FilterDefinition usual(ServeOptions options) {
    return new FilterArguments(options).definition(options.memory());
  }

  /**
   * Takes one of our options and its value.
   *
   * @return the number of arguments that were taken, 0 if it is no option of ours
   */
  int take(Request request, int index) {
    boolean known =
        request.is(index, "MEMORY") || request.is(index, "WINDOW") || request.is(index, "KIND");
    if (!known) {
      return 0;
    }
    if (index + 1 >= request.count()) {
      throw new CommandException("ERR %s needs a value".formatted(request.text(index)));
    }
    String value = request.text(index + 1);
    try {
      if (request.is(index, "MEMORY")) {
        memory = Parse.size("MEMORY", value);
      } else if (request.is(index, "KIND")) {
        kind = FilterKind.of(value);
      } else {
        if (!Parse.isDuration(value)) {
          throw new CommandException(
              "ERR WINDOW '%s' must be a time here, such as 90s, 15m, 24h or 7d; windows of records are for one stream"
                  .formatted(value));
        }
        window = Window.parse(value);
      }
    } catch (IllegalArgumentException e) {
      throw CommandException.of(e);
    }
    return 2;
  }

  /**
   * Returns the definition of the filter.
   *
   * @param otherwise the bytes of a filter about which neither capacity nor memory was said
   */
  FilterDefinition definition(long otherwise) {
    if (nonScaling) {
      if (!window.isNone() || (kind != null && kind != FilterKind.BLOOM)) {
        throw new CommandException(
            "ERR NONSCALING means that nothing is forgotten, which only the kind bloom without a window does; leave out NONSCALING, or WINDOW and KIND");
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
        nonScaling ? 0 : (int) Math.min(Integer.MAX_VALUE, expansion),
        nonScaling,
        bytes,
        window,
        chosen,
        0);
  }
}
