package dev.unseen.server.command;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.unseen.Measure;
import dev.unseen.server.durable.Durability;
import dev.unseen.server.store.Keyspace;
import dev.unseen.server.store.MemoryBudget;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * A number that describes the whole server. {@code measures.txt} declares all of them: {@code
 * /metrics}, the live page and INFO show the same list.
 *
 * @param name the name on the live page, and at {@code /metrics} without {@code unseen_server_}
 * @param section the section of INFO that has it; empty if none has
 * @param infoName its name there
 * @param help what it is, with its unit
 */
public record ServerMeasure(
    String name, Measure.Type type, String section, String infoName, String help) {
  private static final List<ServerMeasure> ALL =
      CommandDoc.blocks("measures.txt").stream()
          .flatMap(List::stream)
          .map(ServerMeasure::parse)
          .toList();

  /** The measure that a server has while it loads; the others come later. */
  public static final ServerMeasure LOADING = ALL.get(0);

  private static ServerMeasure parse(String line) {
    String[] parts = line.split(" *\\| *", 3);
    String[] name = parts[0].split(" ", 2);
    String[] info = (parts[1] + " ").split(" ", 3);
    return new ServerMeasure(
        name[1],
        Measure.Type.valueOf(name[0].toUpperCase(Locale.ROOT)),
        info[0],
        info[1],
        parts[2]);
  }

  /** Returns all measures, in the order in which they are shown. */
  public static List<ServerMeasure> all() {
    return ALL;
  }

  /** Returns the name at {@code /metrics}. */
  public String prometheusName() {
    return name.startsWith("process_") ? name : "unseen_server_" + name;
  }

  /** Returns the value; NaN if this server does not have it. */
  public double value(Context context) {
    Keyspace keyspace = context.keyspace();
    MemoryBudget memory = keyspace.budget();
    Clients clients = context.clients();
    return switch (name) {
      case "loading" -> 0;
      case "filters" -> keyspace.all().size();
      case "memory_bytes" -> memory.used();
      case "max_memory_bytes" -> memory.filterLimit();
      case "buffer_bytes" -> memory.buffers();
      case "max_buffer_bytes" -> memory.bufferLimit();
      case "process_resident_memory_bytes" -> residentBytes();
      case "heap_bytes" -> Runtime.getRuntime().totalMemory();
      case "gc_seconds_total" -> pauseMillis() / 1e3;
      case "deleted_keys" -> keyspace.setKeys().deletedKeys();
      case "max_deleted_keys" -> keyspace.limits().deletedKeys();
      case "max_reservations" -> keyspace.limits().reservations();
      case "clients" -> clients.count();
      case "requests_total" -> clients.requests();
      case "received_bytes_total" -> clients.receivedBytes();
      case "sent_bytes_total" -> clients.sentBytes();
      case "connections_total" -> clients.connections();
      case "rejected_clients_total" -> clients.rejections();
      case "auth_failures_total" -> clients.logins().failures();
      case "clock_jumps_total" -> context.clock().jumps();
      case "failing" -> context.failure().isEmpty() ? 0 : 1;
      case "saving" -> context.durability().filter(Durability::isSaving).isPresent() ? 1 : 0;
      case "former_secrets" -> keyspace.formerSecretsInUse();
      default -> context.durability().map(this::durable).orElse(Double.NaN);
    };
  }

  /** Returns the value of a measure that only a server with a directory has. */
  private double durable(Durability durability) {
    return switch (name) {
      case "last_save_timestamp_seconds" -> durability.saves().lastMillis() / 1e3;
      case "last_save_duration_seconds" -> durability.saves().lastNanos() / 1e9;
      case "saves_total" -> durability.saves().count();
      case "save_seconds_total" -> durability.saves().nanos() / 1e9;
      case "journal_bytes" -> durability.writes().segmentBytes();
      case "journal_written_bytes_total" -> durability.writes().bytes();
      case "fsyncs_total" -> durability.writes().forces();
      case "fsync_seconds_total" -> durability.writes().forceNanos() / 1e9;
      case "load_damaged_files" -> durability.damagedFiles();
      case "load_damaged_bytes" -> durability.damagedBytes();
      default -> throw new IllegalStateException(name + " is declared, but has no value");
    };
  }

  /** Returns the resident memory of this process, as Linux counts it in /proc. */
  private static double residentBytes() {
    try {
      return Files.readAllLines(Path.of("/proc/self/status"), US_ASCII).stream()
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToDouble(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
          .findFirst()
          .orElse(Double.NaN);
    } catch (IOException | NumberFormatException e) {
      return Double.NaN;
    }
  }

  private static long pauseMillis() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .mapToLong(collector -> Math.max(0, collector.getCollectionTime()))
        .sum();
  }
}
