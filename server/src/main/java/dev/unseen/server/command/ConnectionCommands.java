package dev.unseen.server.command;

import dev.unseen.server.access.Rights;
import dev.unseen.server.access.Users;
import dev.unseen.server.access.Users.User;
import dev.unseen.server.resp.Request;
import dev.unseen.server.resp.RespWriter;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;

/** Commands about the connection: authentication, protocol and names. */
final class ConnectionCommands {
  /** The version of Redis that is reported: some clients check it. */
  static final String REDIS_VERSION = "7.4.0";

  private static final int MAX_NAME = 256;
  private static final ThrottledLog HTTP_SENT = new ThrottledLog();
  private static final ThrottledLog WRONG_PASSWORD = new ThrottledLog();

  private final Context context;

  private ConnectionCommands(Context context) {
    this.context = context;
  }

  static void declare(CommandTable table, Context context) {
    ConnectionCommands all = new ConnectionCommands(context);
    table.add("PING", all::ping);
    table.add("ECHO", all::echo);
    table.add("HELLO", all::hello);
    table.add("AUTH", all::auth);
    table.add("SELECT", all::select);
    table.add("CLIENT", all::client);
    table.add("QUIT", all::quit);
    table.add("RESET", all::reset);
    table.add("READONLY", (c, q, r) -> r.simple("OK"));
    table.add("READWRITE", (c, q, r) -> r.simple("OK"));
    table.add("POST", all::http);
    table.add("HOST:", all::http);
    table.add("ACL", all::acl);
  }

  private void ping(Client client, Request request, RespWriter reply) {
    if (request.count() > 2) {
      throw CommandTable.wrongArity("PING");
    }
    if (request.count() == 2) {
      reply.bulk(request.copy(1));
    } else {
      reply.simple("PONG");
    }
  }

  private void echo(Client client, Request request, RespWriter reply) {
    reply.bulk(request.copy(1));
  }

  private void hello(Client client, Request request, RespWriter reply) {
    boolean hasPassword = false;
    for (int i = 2; i < request.count(); i++) {
      hasPassword |= request.is(i, "AUTH");
    }
    if (hasPassword) {
      throttled(client, request, reply, this::greet);
    } else {
      greet(client, request, reply);
    }
  }

  /** Runs a command that has a password, later if its address has given many wrong ones. */
  private void throttled(Client client, Request request, RespWriter reply, Command.Action action) {
    long delay =
        context.users().areRequired() ? context.clients().logins().delay(client.host()) : 0;
    if (delay < 0) {
      throw new CommandException(
          "ERR too many wrong passwords came from your address, and others are waiting to be checked; try again in a minute");
    }
    if (delay == 0) {
      action.run(client, request, reply);
      return;
    }
    Request copy = request.copy();
    client.later(delay, () -> r -> action.run(client, copy, r));
  }

  private void greet(Client client, Request request, RespWriter reply) {
    int version = reply.protocol();
    if (request.count() > 1) {
      long asked =
          NumberArguments.integer(
              request, 1, "ERR Protocol version is not an integer or out of range");
      if (asked != 2 && asked != 3) {
        throw new CommandException("NOPROTO unsupported protocol version");
      }
      version = (int) asked;
    }
    User user = client.user();
    String name = client.name;
    for (int i = 2; i < request.count(); i++) {
      if (request.is(i, "AUTH") && i + 2 < request.count()) {
        user = authenticated(client, request.text(i + 1), request.text(i + 2));
        i += 2;
      } else if (request.is(i, "SETNAME") && i + 1 < request.count()) {
        name = checkedName(request.text(++i));
      } else {
        throw new CommandException(
            "ERR Syntax error in HELLO option '%s'".formatted(request.text(i)));
      }
    }
    if (user == null) {
      throw new CommandException(
          "NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO <proto> AUTH <user> <pass> option can be used to authenticate the client and select the RESP protocol version at the same time");
    }
    client.user(user);
    client.name = name;
    client.protocol = version;
    reply.protocol(version);
    reply.map(7);
    reply.entry("server", "redis");
    reply.entry("version", REDIS_VERSION);
    reply.entry("proto", version);
    reply.entry("id", client.id());
    reply.entry("mode", "standalone");
    reply.entry("role", "master");
    reply.bulk("modules");
    ServerCommands.modules(reply);
  }

  private User authenticated(Client client, String name, String password) {
    if (!context.users().areRequired()) {
      if (name.equals(Users.DEFAULT)) {
        return context
            .users()
            .initial()
            .orElseThrow(); // as in Redis: without passwords, any is accepted
      }
    }
    return context
        .users()
        .find(name, password)
        .orElseThrow(
            () -> {
              context.clients().logins().failed(client.host());
              WRONG_PASSWORD.warn("%s gave a wrong password".formatted(client.address()));
              return new CommandException(
                  "WRONGPASS invalid username-password pair or user is disabled.");
            });
  }

  private void auth(Client client, Request request, RespWriter reply) {
    if (request.count() > 3) {
      throw new CommandException("ERR syntax error");
    }
    if (request.count() == 2 && !context.users().areRequired()) {
      throw new CommandException(
          "ERR AUTH <password> called without any password configured for the default user. Are you sure your configuration is correct?");
    }
    throttled(client, request, reply, this::logIn);
  }

  private void logIn(Client client, Request request, RespWriter reply) {
    boolean named = request.count() == 3;
    client.user(
        authenticated(
            client, named ? request.text(1) : Users.DEFAULT, request.text(named ? 2 : 1)));
    reply.simple("OK");
  }

  private void select(Client client, Request request, RespWriter reply) {
    long number = NumberArguments.integer(request, 1);
    if (number != 0) {
      throw new CommandException(
          "ERR DB index is out of range: %d, but there is only database 0; use the number as a prefix of the names of filters"
              .formatted(number));
    }
    reply.simple("OK");
  }

  private void client(Client client, Request request, RespWriter reply) {
    String what = request.text(1).toUpperCase(Locale.ROOT);
    switch (what) {
      case "SETNAME" -> {
        requireCount(request, 3);
        client.name = checkedName(request.text(2));
        reply.simple("OK");
      }
      case "GETNAME" -> {
        requireCount(request, 2);
        if (client.name.isEmpty()) {
          reply.nil();
        } else {
          reply.bulk(client.name);
        }
      }
      case "SETINFO" -> {
        requireCount(request, 4);
        setInfo(client, request);
        reply.simple("OK");
      }
      case "ID" -> {
        requireCount(request, 2);
        reply.integer(client.id());
      }
      case "INFO" -> {
        requireCount(request, 2);
        reply.verbatim(client.line() + "\n");
      }
      case "LIST" -> {
        requireAdmin(client, what);
        StringBuilder lines = new StringBuilder();
        listed(request).forEach(each -> lines.append(each.line()).append('\n'));
        reply.verbatim(lines.toString());
      }
      case "KILL" -> {
        requireAdmin(client, what);
        kill(client, request, reply);
      }
      case "NO-EVICT", "NO-TOUCH" -> {
        requireCount(request, 3);
        reply.simple("OK"); // no client is evicted, and no use of a key is recorded
      }
      default ->
          throw new CommandException(
              "ERR unknown subcommand '%s'. Try CLIENT SETNAME, GETNAME, SETINFO, ID, INFO, LIST or KILL."
                  .formatted(request.text(1)));
    }
  }

  private static void requireAdmin(Client client, String what) {
    if (!client.may(Rights.ADMIN)) {
      throw new CommandException("NOPERM CLIENT %s needs the right 'admin'".formatted(what));
    }
  }

  /** Closes the connections of an address, or those that all filters match. */
  private void kill(Client client, Request request, RespWriter reply) {
    boolean byAddress = request.count() == 3;
    Predicate<Client> wanted =
        byAddress ? other -> other.address().equals(request.text(2)) : filters(client, request);
    List<Client> killed = context.clients().all().stream().filter(wanted).toList();
    if (byAddress && killed.isEmpty()) {
      throw new CommandException("ERR No such client");
    }
    for (Client each : killed) {
      if (each.id() == client.id()) {
        client.leave(); // after the reply
      } else {
        context.clients().remove(each); // its own thread would do so a moment later
        each.kill();
      }
    }
    if (byAddress) {
      reply.simple("OK");
    } else {
      reply.integer(killed.size());
    }
  }

  private static Predicate<Client> filters(Client self, Request request) {
    Predicate<Client> wanted = other -> true;
    boolean skipSelf = true;
    for (int i = 2; i < request.count(); i += 2) {
      if (i + 1 == request.count()) {
        throw new CommandException("ERR syntax error");
      }
      String value = request.text(i + 1);
      switch (request.text(i).toUpperCase(Locale.ROOT)) {
        case "ID" -> {
          long id =
              NumberArguments.integer(request, i + 1, "ERR client-id should be greater than 0");
          wanted = wanted.and(other -> other.id() == id);
        }
        case "ADDR" -> wanted = wanted.and(other -> other.address().equals(value));
        case "LADDR" -> wanted = wanted.and(other -> other.localAddress.equals(value));
        case "USER" ->
            wanted = wanted.and(other -> other.user() != null && other.user().name().equals(value));
        case "TYPE" -> {
          boolean normal = value.equalsIgnoreCase("NORMAL"); // there are no others
          wanted = wanted.and(other -> normal);
        }
        case "MAXAGE" -> {
          long seconds = NumberArguments.integer(request, i + 1);
          wanted = wanted.and(other -> other.age() >= seconds);
        }
        case "SKIPME" -> skipSelf = !value.equalsIgnoreCase("NO");
        default -> throw new CommandException("ERR syntax error");
      }
    }
    boolean skip = skipSelf;
    return wanted.and(other -> !skip || other.id() != self.id());
  }

  /** Returns the clients of CLIENT LIST: all of them, or those with some numbers. */
  private List<Client> listed(Request request) {
    List<Client> all = context.clients().all();
    if (request.count() == 2) {
      return all;
    }
    if (request.count() == 4 && request.is(2, "TYPE")) {
      return request.is(3, "NORMAL") ? all : List.of(); // there are no replicas or subscribers
    }
    if (request.count() == 3 || !request.is(2, "ID")) {
      throw new CommandException("ERR syntax error");
    }
    Set<Long> wanted = new HashSet<>();
    for (int i = 3; i < request.count(); i++) {
      wanted.add(NumberArguments.integer(request, i, "ERR Invalid client ID"));
    }
    return all.stream().filter(each -> wanted.contains(each.id())).toList();
  }

  static void requireCount(Request request, int count) {
    if (request.count() != count) {
      throw CommandTable.wrongArity(request.text(0) + "|" + request.text(1));
    }
  }

  /** Returns a word that a client wants to be shown; {@code what} it is begins the error. */
  private static String checked(String what, String word) {
    if (word.length() > MAX_NAME) {
      throw new CommandException(
          "ERR a name of %d characters is too long; use at most %d"
              .formatted(word.length(), MAX_NAME));
    }
    if (!word.chars().allMatch(c -> c > ' ' && c < 127)) {
      throw new CommandException(
          "ERR %s cannot contain spaces, newlines or special characters.".formatted(what));
    }
    return word;
  }

  private static String checkedName(String name) {
    return checked("Client names", name);
  }

  private static void setInfo(Client client, Request request) {
    String value = checked(request.text(2), request.text(3));
    if (request.is(2, "LIB-NAME")) {
      client.library = value;
    } else if (request.is(2, "LIB-VER")) {
      client.libraryVersion = value;
    } else {
      throw new CommandException("ERR Unrecognized option '%s'".formatted(request.text(2)));
    }
  }

  private void quit(Client client, Request request, RespWriter reply) {
    reply.simple("OK");
    client.leave();
  }

  /**
   * Closes the connection of a browser that a web page makes send commands inside an HTTP request.
   * As in Redis, none of them is run.
   */
  private void http(Client client, Request request, RespWriter reply) {
    HTTP_SENT.warn(
        "%s sent HTTP to the port of Redis's protocol (a cross-protocol request of a web page?) and is disconnected"
            .formatted(client.address()));
    client.leave();
  }

  private void reset(Client client, Request request, RespWriter reply) {
    client.transaction.discard();
    context.clients().monitor().remove(client);
    client.user(context.users().initial().orElse(null));
    client.name = "";
    client.protocol = 2;
    reply.protocol(2);
    reply.simple("RESET");
  }

  private void acl(Client client, Request request, RespWriter reply) {
    if (!request.is(1, "WHOAMI")) {
      throw new CommandException(
          "ERR ACL %s is not offered: users are in the file of --auth-file, which UN.RELOAD reads again; try ACL WHOAMI"
              .formatted(request.text(1)));
    }
    reply.bulk(client.user().name());
  }
}
