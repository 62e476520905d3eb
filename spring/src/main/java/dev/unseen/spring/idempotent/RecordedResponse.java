package dev.unseen.spring.idempotent;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A servlet response of which a copy is made, from the moment that a key was reserved.
 *
 * <p>As long as the container's thread works at it, the response is held back, so that it is saved
 * and its key counts as processed before the client has it. A response that is written by other
 * threads, such as a stream of events, or is larger than the limit, is sent as it comes.
 */
final class RecordedResponse extends HttpServletResponseWrapper implements Recording {
  private final RecordedRequest request;
  private final BodyCopy body;
  private Map<String, List<String>> headersBefore; // null: not recorded
  private boolean held;
  private ServletOutputStream stream; // null: nobody has asked for it
  private PrintWriter writer; // null: nobody has asked for it

  RecordedResponse(HttpServletResponse response, RecordedRequest request, int limit) {
    super(response);
    this.request = request;
    this.body = new BodyCopy(limit);
  }

  @Override
  public synchronized void start() {
    if (headersBefore == null) {
      headersBefore = headers();
    }
  }

  private Map<String, List<String>> headers() {
    Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    getHeaderNames().forEach(name -> headers.put(name, List.copyOf(getHeaders(name))));
    if (getContentType() != null) {
      headers.put("Content-Type", List.of(getContentType()));
    }
    return headers;
  }

  @Override
  public String fingerprint() {
    return request.fingerprint(ServletRequests.user(request));
  }

  @Override
  public synchronized Optional<StoredResponse> response() {
    if (writer != null) {
      writer.flush();
    }
    return body.fits()
        ? Optional.of(
            new StoredResponse(
                fingerprint(),
                getStatus(),
                StoredResponse.added(headersBefore, headers()),
                body.bytes()))
        : Optional.empty();
  }

  /** Holds the response back, unless some of it was sent. */
  synchronized void hold() {
    held = body.isEmpty();
  }

  /** Sends what was held back. */
  synchronized void release() throws IOException {
    if (writer != null) {
      writer.flush();
    }
    if (held) {
      held = false;
      if (!body.isEmpty()) {
        getResponse().getOutputStream().write(body.bytes());
      }
    }
  }

  private synchronized void write(byte[] bytes, int offset, int length) throws IOException {
    if (headersBefore != null && body.add(bytes, offset, length) && held) {
      return;
    }
    if (headersBefore != null) {
      release();
    }
    getResponse().getOutputStream().write(bytes, offset, length);
  }

  @Override
  public synchronized void flushBuffer() throws IOException {
    if (headersBefore == null || !held) {
      super.flushBuffer();
    }
  }

  @Override
  public synchronized void sendError(int status) throws IOException {
    body.clear();
    super.sendError(status);
  }

  @Override
  public synchronized void sendError(int status, String message) throws IOException {
    body.clear();
    super.sendError(status, message);
  }

  @Override
  public synchronized void reset() {
    super.reset();
    body.clear();
  }

  @Override
  public synchronized void resetBuffer() {
    super.resetBuffer();
    body.clear();
  }

  @Override
  public synchronized ServletOutputStream getOutputStream() throws IOException {
    if (stream == null) {
      stream = new CopiedStream(getResponse().getOutputStream());
    }
    return stream;
  }

  @Override
  public synchronized PrintWriter getWriter() throws IOException {
    if (writer == null) {
      setCharacterEncoding(getCharacterEncoding()); // as a container does
      writer = new PrintWriter(new OutputStreamWriter(getOutputStream(), getCharacterEncoding()));
    }
    return writer;
  }

  /** Copies what is written. */
  private final class CopiedStream extends ServletOutputStream {
    private final ServletOutputStream out;

    CopiedStream(ServletOutputStream out) {
      this.out = out;
    }

    @Override
    public void write(int value) throws IOException {
      write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      RecordedResponse.this.write(bytes, offset, length);
    }

    @Override
    public void flush() throws IOException {
      flushBuffer();
    }

    @Override
    public boolean isReady() {
      return out.isReady();
    }

    @Override
    public void setWriteListener(WriteListener listener) {
      out.setWriteListener(listener);
    }
  }
}
