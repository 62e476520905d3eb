package dev.unseen.server.resp;

/** Thrown if the bytes of a client are not a request. The connection must be closed. */
public final class ProtocolException extends Exception {
  private static final long serialVersionUID = 1L;

  ProtocolException(String message) {
    super("ERR Protocol error: " + message, null, false, false);
  }
}
