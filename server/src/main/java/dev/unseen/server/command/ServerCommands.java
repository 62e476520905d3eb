package dev.unseen.server.command;

import dev.unseen.server.access.Rights;
import dev.unseen.server.options.ServeOptions;
import dev.unseen.server.resp.Request;
import dev.unseen.server.resp.RespWriter;
import dev.unseen.server.store.ServedFilter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Commands about the server. */
final class ServerCommands {
  /** The version of Unseen that all commands came with. */
  static final String SINCE = "0.1.0";

  private final CommandTable table;
  private final Context context;

  private ServerCommands(CommandTable table, Context context) {
    this.table = table;
    this.context = context;
  }

  static void declare(CommandTable table, Context context) {
    ServerCommands all = new ServerCommands(table, context);
    table.add("COMMAND", all::command);
    table.add("INFO", all::info);
    table.add("CONFIG", all::config);
    table.add("MODULE", all::module);
    table.add("MEMORY", all::memory);
    table.add("SLOWLOG", all::slowLog);
    table.add("LATENCY", all::latency);
    table.add("MONITOR", all::monitor);
    table.add("TIME", all::time);
    table.add("ROLE", all::role);
  }

  /** Writes the list of modules. Clients look for RedisBloom's name there. */
  static void modules(RespWriter reply) {
    reply.array(1);
    reply.map(4);
    reply.entry("name", "bf");
    reply.entry("ver", 20800);
    reply.entry("path", "unseen");
    reply.bulk("args");
    reply.array(0);
  }

  private void module(Client client, Request request, RespWriter reply) {
    if (!request.is(1, "LIST")) {
      throw new CommandException(
          "ERR MODULE %s is not offered; try MODULE LIST".formatted(request.text(1)));
    }
    modules(reply);
  }

  private void command(Client client, Request request, RespWriter reply) {
    if (request.count() == 1) {
      infos(table.all(), reply);
      return;
    }
    switch (request.text(1).toUpperCase(Locale.ROOT)) {
      case "COUNT" -> {
        ConnectionCommands.requireCount(request, 2);
        reply.integer(table.all().size());
      }
      case "LIST" -> {
        if (request.count() > 2) {
          throw new CommandException(
              "ERR COMMAND LIST with %s is not offered".formatted(request.text(2)));
        }
        reply.array(table.all().size());
        table.all().forEach(each -> reply.bulk(lower(each)));
      }
      case "INFO" -> {
        List<Command> named = named(request);
        infos(request.count() == 2 ? table.all() : named, reply);
      }
      case "DOCS" -> docs(request, reply);
      default ->
          throw new CommandException(
              "ERR unknown subcommand '%s'. Try COMMAND COUNT, DOCS, INFO or LIST."
                  .formatted(request.text(1)));
    }
  }

  private List<Command> named(Request request) {
    List<Command> named = new ArrayList<>(); // with null for unknown commands
    for (int i = 2; i < request.count(); i++) {
      named.add(table.find(request.text(i)));
    }
    return named;
  }

  private static String lower(Command command) {
    return command.name().toLowerCase(Locale.ROOT);
  }

  private static void infos(Collection<Command> commands, RespWriter reply) {
    reply.array(commands.size());
    for (Command command : commands) {
      if (command == null) {
        reply.nil();
        continue;
      }
      reply.array(10);
      reply.bulk(lower(command));
      reply.integer(command.doc().arity());
      reply.set(command.rights() == Rights.ADMIN ? 2 : 1);
      reply.simple(command.rights().include(Rights.WRITE) ? "write" : "readonly");
      if (command.rights() == Rights.ADMIN) {
        reply.simple("admin");
      }
      int lastKey = command.doc().lastKey();
      reply.integer(Math.abs(Integer.signum(lastKey)));
      reply.integer(lastKey);
      reply.integer(Math.abs(Integer.signum(lastKey)));
      reply.set(1);
      reply.simple("@" + command.rights().name().toLowerCase(Locale.ROOT));
      reply.array(0);
      reply.array(0);
      reply.array(0);
    }
  }

  private void docs(Request request, RespWriter reply) {
    List<Command> named =
        request.count() == 2
            ? List.copyOf(table.all())
            : named(request).stream().filter(java.util.Objects::nonNull).toList();
    reply.map(named.size());
    for (Command command : named) {
      CommandDoc doc = command.doc();
      reply.bulk(lower(command));
      reply.map(5);
      reply.entry("summary", doc.summary());
      reply.entry("since", SINCE);
      reply.entry("group", command.name().contains(".") ? "module" : "server");
      reply.entry("complexity", doc.complexity());
      reply.bulk("arguments");
      reply.array(doc.arguments().size());
      doc.arguments().forEach(argument -> argument(argument, reply));
    }
  }

  private static void argument(String argument, RespWriter reply) {
    boolean optional = argument.startsWith("[");
    String shown = optional ? argument.substring(1, argument.length() - 1) : argument;
    reply.map(optional ? 4 : 3);
    reply.entry("name", shown);
    reply.entry("display_text", shown);
    reply.entry("type", shown.equals("key") ? "key" : "string");
    if (optional) {
      reply.bulk("flags");
      reply.set(1);
      reply.simple("optional");
    }
  }

  private void info(Client client, Request request, RespWriter reply) {
    reply.verbatim(new ServerInfo(context).text(request));
  }

  private void config(Client client, Request request, RespWriter reply) {
    if (request.is(1, "RESETSTAT")) {
      reply.simple("OK");
      return;
    }
    if (request.is(1, "GET") && request.count() < 3) {
      throw CommandTable.wrongArity("config|get");
    }
    if (!request.is(1, "GET")) {
      throw new CommandException(
          "ERR CONFIG %s is not offered: settings are options of the command that starts the server; try CONFIG GET *"
              .formatted(request.text(1)));
    }
    Map<String, String> found = new LinkedHashMap<>();
    for (int i = 2; i < request.count(); i++) {
      Glob pattern = new Glob(request.text(i).toLowerCase(Locale.ROOT));
      settings()
          .forEach(
              (name, value) -> {
                if (pattern.matches(name)) {
                  found.put(name, value);
                }
              });
    }
    reply.map(found.size());
    found.forEach(reply::entry);
  }

  private Map<String, String> settings() {
    ServeOptions options = context.options();
    Map<String, String> all = new LinkedHashMap<>();
    all.put("appendfsync", options.fsync().id());
    all.put("appendonly", context.durability().isPresent() ? "yes" : "no");
    all.put("bf-error-rate", Double.toString(options.errorRate()));
    all.put("databases", "1");
    all.put("dir", options.directory().map(Object::toString).orElse(""));
    all.put("maxclients", Integer.toString(options.maxClients()));
    all.put("maxmemory", Long.toString(options.maxMemory()));
    all.put("maxmemory-policy", "noeviction");
    all.put("port", Integer.toString(options.port()));
    all.put("proto-max-bulk-len", Integer.toString(options.limits().argumentBytes()));
    all.put("save", options.directory().isEmpty() ? "" : options.saveEvery().toSeconds() + " 1");
    all.put("timeout", Long.toString(options.idleTimeout().toSeconds()));
    return all;
  }

  private void memory(Client client, Request request, RespWriter reply) {
    if (request.is(1, "PURGE") && request.count() == 2) {
      if (!client.may(Rights.ADMIN)) {
        throw new CommandException("NOPERM MEMORY PURGE needs the right 'admin'");
      }
      client.later(
          () -> {
            context.keyspace().budget().purge();
            return r -> r.simple("OK");
          });
      return;
    }
    if (!request.is(1, "USAGE") || request.count() < 3) {
      throw new CommandException("ERR try MEMORY USAGE key or MEMORY PURGE");
    }
    ServedFilter filter = context.keyspace().find(request.binary(2));
    if (filter == null) {
      reply.nil();
    } else {
      reply.integer(filter.cost());
    }
  }

  private void slowLog(Client client, Request request, RespWriter reply) {
    List<SlowLog.Slow> entries = context.slowLog().entries();
    switch (request.text(1).toUpperCase(Locale.ROOT)) {
      case "LEN" -> reply.integer(entries.size());
      case "RESET" -> {
        context.slowLog().clear();
        reply.simple("OK");
      }
      case "GET" -> {
        String wrong = "ERR count should be greater than or equal to -1";
        long most = request.count() > 2 ? NumberArguments.integer(request, 2, wrong) : 10;
        if (most < -1) {
          throw new CommandException(wrong);
        }
        List<SlowLog.Slow> shown =
            most < 0 ? entries : entries.subList(0, (int) Math.min(most, entries.size()));
        reply.array(shown.size());
        for (SlowLog.Slow slow : shown) {
          reply.array(6);
          reply.integer(slow.id());
          reply.integer(slow.millis() / 1000);
          reply.integer(slow.micros());
          reply.array(1);
          reply.bulk(slow.command());
          reply.bulk("");
          reply.bulk("");
        }
      }
      default -> throw new CommandException("ERR try SLOWLOG GET, LEN or RESET");
    }
  }

  /** Answers from the slow log: its commands are the only event. */
  private void latency(Client client, Request request, RespWriter reply) {
    List<SlowLog.Slow> entries = context.slowLog().entries();
    switch (request.text(1).toUpperCase(Locale.ROOT)) {
      case "LATEST" -> {
        reply.array(entries.isEmpty() ? 0 : 1);
        if (!entries.isEmpty()) {
          reply.array(4);
          reply.bulk("command");
          reply.integer(entries.get(0).millis() / 1000);
          reply.integer(entries.get(0).micros() / 1000);
          reply.integer(entries.stream().mapToLong(SlowLog.Slow::micros).max().orElse(0) / 1000);
        }
      }
      case "HISTORY" -> {
        ConnectionCommands.requireCount(request, 3);
        boolean known = request.is(2, "COMMAND");
        reply.array(known ? entries.size() : 0);
        for (int i = entries.size() - 1; known && i >= 0; i--) { // the oldest first
          reply.array(2);
          reply.integer(entries.get(i).millis() / 1000);
          reply.integer(entries.get(i).micros() / 1000);
        }
      }
      case "RESET" -> {
        context.slowLog().clear();
        reply.integer(entries.isEmpty() ? 0 : 1);
      }
      default ->
          throw new CommandException(
              "ERR try LATENCY LATEST, HISTORY command or RESET; SLOWLOG GET has the commands, and /metrics a histogram");
    }
  }

  private void monitor(Client client, Request request, RespWriter reply) {
    context.clients().monitor().add(client);
    reply.simple("OK");
  }

  private void time(Client client, Request request, RespWriter reply) {
    long millis = System.currentTimeMillis();
    reply.array(2);
    reply.bulk(Long.toString(millis / 1000));
    reply.bulk(Long.toString(millis % 1000 * 1000));
  }

  private void role(Client client, Request request, RespWriter reply) {
    reply.array(3);
    reply.bulk("master");
    reply.integer(0);
    reply.array(0);
  }
}
