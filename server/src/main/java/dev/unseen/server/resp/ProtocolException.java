package dev.unseen.server.resp;

/** The bytes of a client are not a request. The connection cannot go on after it. */
public final class ProtocolException extends Exception {
  private static final long serialVersionUID = 1L;

  ProtocolException(String message) {
    super("ERR Protocol error: " + message, null, false, false);
  }
}
