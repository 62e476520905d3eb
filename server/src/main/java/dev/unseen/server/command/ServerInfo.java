package dev.unseen.server.command;

import dev.unseen.Report;
import dev.unseen.metrics.PrometheusText;
import dev.unseen.server.durable.Durability;
import dev.unseen.server.resp.Request;
import dev.unseen.server.store.ServedFilter;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The text of INFO, in Redis's sections and under Redis's names where they fit. */
public final class ServerInfo {
  /** The version of Unseen. */
  public static final String VERSION = // the text of the metric is the only place that has it
      new PrometheusText().buildInfo().toString().replaceAll("(?s).*version=\"([^\"]*)\".*", "$1");

  private static final Set<String> ALL = Set.of("ALL", "EVERYTHING", "DEFAULT");

  private final Context context;
  private final StringBuilder text = new StringBuilder();

  ServerInfo(Context context) {
    this.context = context;
  }

  String text(Request request) {
    RequestStats stats = context.clients().stats();
    section(request, "Server", this::server);
    section(
        request,
        "Clients",
        () ->
            add("blocked_clients", 0) // no command waits for other clients
                .add("maxclients", context.options().maxClients()));
    section(request, "Memory", this::memory);
    section(request, "Persistence", this::persistence);
    section(
        request,
        "Stats",
        () -> add("instantaneous_ops_per_sec", context.clients().requestsPerSecond()));
    section(request, "Replication", () -> add("role", "master").add("connected_slaves", 0));
    section(
        request,
        "Modules",
        () -> add("module", "name=bf,ver=20800,api=1,filters=0,usedby=[],using=[]"));
    section(request, "Cluster", () -> add("cluster_enabled", 0));
    section(request, "Keyspace", this::keyspace);
    section(request, "Set", this::set);
    section(
        request,
        "Commandstats",
        () -> stats.commandLines().forEach((name, line) -> add("cmdstat_" + name, line)));
    section(
        request,
        "Errorstats",
        () -> stats.errors().forEach((code, count) -> add("errorstat_" + code, "count=" + count)));
    return text.toString();
  }

  /** Adds a section that a request asks for: its measures, and what else it contains. */
  private void section(Request request, String title, Runnable others) {
    if (!isWanted(request, title)) {
      return;
    }
    text.append(text.isEmpty() ? "" : "\r\n").append("# ").append(title).append("\r\n");
    for (ServerMeasure measure : ServerMeasure.all()) {
      double value =
          measure.section().equalsIgnoreCase(title) ? measure.value(context) : Double.NaN;
      if (!Double.isNaN(value)) {
        add(measure.infoName(), (long) value);
      }
    }
    others.run();
  }

  private static boolean isWanted(Request request, String title) {
    boolean wanted = request.count() == 1;
    for (int i = 1; i < request.count(); i++) {
      String word = request.text(i).toUpperCase(Locale.ROOT);
      wanted |= ALL.contains(word) || word.equalsIgnoreCase(title);
    }
    return wanted;
  }

  private ServerInfo add(String name, Object value) {
    text.append(name).append(':').append(value).append("\r\n");
    if (name.equals("used_memory") || name.equals("used_memory_rss") || name.equals("maxmemory")) {
      add(name + "_human", human((long) value));
    }
    return this;
  }

  private void server() {
    long upMillis = ManagementFactory.getRuntimeMXBean().getUptime();
    add("redis_version", ConnectionCommands.REDIS_VERSION);
    add("redis_mode", "standalone");
    add("server_name", "unseen");
    add("unseen_version", VERSION);
    add("process_id", ProcessHandle.current().pid());
    add("tcp_port", context.options().port());
    add("uptime_in_seconds", upMillis / 1000);
    add("uptime_in_days", upMillis / 86_400_000);
  }

  private void memory() {
    Runtime runtime = Runtime.getRuntime();
    add("maxmemory", context.keyspace().budget().limit());
    add("maxmemory_policy", "noeviction");
    add("heap_used", runtime.totalMemory() - runtime.freeMemory());
    add("heap_max", runtime.maxMemory());
  }

  /** Returns a number of bytes as Redis prints it, which tools parse: 512B, 1021.00M. */
  private static String human(long bytes) {
    if (bytes < 1024) {
      return bytes + "B";
    }
    int power = Math.min(5, (63 - Long.numberOfLeadingZeros(bytes)) / 10);
    return String.format(
        Locale.ROOT, "%.2f%c", bytes / (double) (1L << (10 * power)), " KMGTP".charAt(power));
  }

  private void persistence() {
    add("aof_enabled", context.durability().isPresent() ? 1 : 0);
    if (context.durability().isPresent()) {
      Durability durability = context.durability().get();
      add("rdb_last_bgsave_status", durability.saveFailure().isEmpty() ? "ok" : "err");
      add("aof_last_write_status", durability.failure().isEmpty() ? "ok" : "err");
    }
  }

  /** The load of the filters for keys of SET, and the keys they evicted early. */
  private void set() {
    for (ServedFilter filter : context.keyspace().setKeys().filters()) {
      Report report = filter.report();
      add(
          filter.name().toLowerCase(Locale.ROOT).replace(' ', '_'),
          "keys=%d,memory=%d,keys_that_fit=%d,evicted_early=%d,window_coverage=%.4f"
              .formatted(
                  report.estimatedCardinality(),
                  report.memoryBytes(),
                  filter.definition().keysThatFit(report),
                  filter.evictedEarly(),
                  report.windowCoverage()));
    }
  }

  private void keyspace() {
    List<ServedFilter> live = context.keyspace().live();
    if (!live.isEmpty()) {
      long expiring =
          live.stream().filter(filter -> filter.expiresAt() != ServedFilter.NEVER).count();
      add("db0", "keys=%d,expires=%d,avg_ttl=0".formatted(live.size(), expiring));
    }
  }
}
