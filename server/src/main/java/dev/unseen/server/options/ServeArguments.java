package dev.unseen.server.options;

import java.util.HashMap;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Declares the options of the server, without loading other classes of the server. */
public final class ServeArguments {
  private ServeArguments() {}

  /** Returns the declaration, that help, manual pages and completions are generated from. */
  public static CommandSpec spec() {
    CommandSpec spec = CommandSpec.create().name("unseen serve");
    spec.usageMessage()
        .sortOptions(false)
        .customSynopsis("unseen serve [OPTIONS]")
        .description(
            "Serves filters to every language that has a Redis client: speaks Redis's protocol,"
                + " RedisBloom's commands, and SET key value NX EX seconds.",
            "")
        .footer(
            "",
            "Examples:",
            "  unseen serve --dir /var/lib/unseen",
            "  redis-cli -p 7379 BF.RESERVE clicks 0.001 1000000 WINDOW 24h",
            "  redis-cli -p 7379 SET event:123 1 NX EX 86400");
    add(spec, "--port", "PORT", "7379", "Listen on this port; 0 for any free one.");
    add(
        spec,
        "--bind",
        "ADDRESS",
        "127.0.0.1",
        "Listen on this address. One that other machines can reach needs --auth-file or --insecure.");
    add(
        spec,
        "--http",
        "PORT",
        null,
        "Serve a live page, /metrics, /healthz and /readyz by HTTP on this port.");
    add(
        spec,
        "--http-bind",
        "ADDRESS",
        "127.0.0.1",
        "Listen for HTTP on this address. Other machines can read /metrics, /healthz and /readyz there,"
            + " without a password, and nothing else.");
    add(
        spec,
        "--http-hosts",
        "NAMES",
        null,
        "Accept HTTP requests for these host names, separated by commas, or for any with *. Requests for"
            + " localhost and for addresses are always accepted.");
    add(spec, "--dir", "DIRECTORY", null, "Keep all filters in this directory.");
    add(
        spec,
        "--backup-dir",
        "DIRECTORY",
        null,
        "Let administrators copy everything to a new directory below this one, with the command BACKUP name.");
    add(
        spec,
        "--secret-file",
        "FILE",
        null,
        "Hash items with the 32 hexadecimal digits in this file. Another secret than that of --dir takes"
            + " over from it, and no item is forgotten. Default: the secret of --dir, or a random one.");
    flag(
        spec,
        "--standby",
        "Wait while another server uses --dir, and take over when it ends. Until then, clients get LOADING"
            + " and /readyz answers 503.");
    add(
        spec,
        "--fsync",
        "WHEN",
        "everysec",
        "Force the journal to the disk: always (before each reply), everysec or never.");
    flag(
        spec,
        "--accept-data-loss",
        "Start although files in --dir are missing, and lose their contents. Use it for one start only.");
    add(spec, "--save-every", "DURATION", "5m", "Save filters that have changed this often.");
    add(spec, "--max-journal", "SIZE", "256M", "Save sooner if the journal reaches this size.");
    add(
        spec,
        "--max-memory",
        "SIZE",
        null,
        "Use at most this memory for filters and --max-buffers together, 1M or more. The process takes at"
            + " most 1.3 times as much and 150 MB. Default: three quarters of the heap.");
    add(
        spec,
        "--memory",
        "SIZE",
        "16M",
        "Memory of a filter, 64K or more, whose client gives neither capacity nor memory.");
    add(
        spec,
        "--error-rate",
        "RATE",
        "0.001",
        "False positive rate of a filter whose client gives none: the share of new items that it reports as seen.");
    add(
        spec,
        "--set-memory",
        "SIZE",
        "64M",
        "Memory for the keys of SET, 64K or more, for each expiry in use.");
    add(
        spec,
        "--set-default-expiry",
        "DURATION",
        null,
        "Accept SETNX, and SET with NX but without EX: such keys expire after this time. EXPIRE changes it."
            + " Default: reject them.");
    add(spec, "--max-keys", "N", "1000", "Keep at most this number of filters.");
    add(
        spec,
        "--max-deleted-keys",
        "N",
        "100000",
        "Keep a list of at most this number of keys of SET that were deleted, or expire early, until their"
            + " filter has forgotten them. A key takes up to 72 bytes of --max-memory.");
    add(
        spec,
        "--max-reservations",
        "N",
        "100000",
        "Let clients reserve at most this number of items of a filter at a time. Each takes 768 bytes of --max-memory.");
    add(spec, "--max-clients", "N", "1000", "Serve at most this number of connections.");
    add(
        spec,
        "--max-request",
        "SIZE",
        null,
        "Reject larger requests. Default: 64M, or less if --max-buffers has no room for that.");
    add(
        spec,
        "--max-buffers",
        "SIZE",
        null,
        "Use at most this memory for unfinished requests, for commands between MULTI and EXEC, and for"
            + " replies that clients have not read, of all connections together. Default: an eighth of"
            + " --max-memory.");
    add(spec, "--max-arguments", "N", "1000000", "Reject requests with more arguments.");
    add(
        spec,
        "--idle-timeout",
        "DURATION",
        "1h",
        "Close connections that send no request for this long.");
    add(
        spec,
        "--auth-file",
        "FILE",
        null,
        "Require passwords. Each line of the file has a user, a password or # and its SHA-256,"
            + " and read, write or admin.");
    flag(
        spec,
        "--insecure",
        "Serve anyone who can reach the address of --bind, without a password.");
    add(spec, "--tls-cert", "FILE", null, "Use TLS with this certificate chain, as PEM.");
    add(spec, "--tls-key", "FILE", null, "Use this private key for TLS, as PEM.");
    add(
        spec,
        "--tls-client-ca",
        "FILE",
        null,
        "Accept only clients with a certificate that one of those in this PEM file has signed.");
    add(spec, "--threads", "N", "2", "Serve connections with this number of threads.");
    spec.addOption(
        OptionSpec.builder("-h", "--help").usageHelp(true).description("Show this help.").build());
    return spec;
  }

  private static void add(
      CommandSpec spec, String name, String label, String defaultValue, String description) {
    String text =
        defaultValue == null ? description : description + " Default: " + defaultValue + ".";
    spec.addOption(
        OptionSpec.builder(name)
            .paramLabel(label)
            .type(String.class)
            .defaultValue(defaultValue)
            .description(text)
            .build());
  }

  private static void flag(CommandSpec spec, String name, String description) {
    spec.addOption(OptionSpec.builder(name).type(boolean.class).description(description).build());
  }

  /**
   * Reads a command line. Returns all options by their long names; flags have an empty value.
   *
   * @throws IllegalArgumentException if it is wrong
   */
  static Map<String, String> parse(String... args) {
    CommandLine line = new CommandLine(spec()).setExpandAtFiles(false);
    ParseResult parsed;
    try {
      parsed = line.parseArgs(args);
    } catch (ParameterException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
    Map<String, String> given = new HashMap<>();
    for (OptionSpec option : parsed.commandSpec().options()) {
      boolean flag = option.arity().max() == 0;
      String name = option.longestName();
      if (flag && parsed.hasMatchedOption(name)) {
        given.put(name, "");
      } else if (!flag && option.getValue() != null) {
        given.put(name, option.getValue());
      }
    }
    return given;
  }
}
