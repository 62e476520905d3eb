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
import java.util.function.Function;
import org.springframework.http.HttpHeaders;

/**
 * A servlet response that the client has completely only when its work has ended. If a key was
 * reserved, the last byte of a declared length is held back, and a response that is complete is
 * neither flushed nor closed. All before that is sent as it comes.
 *
 * <p>If responses are kept, a copy is made from the moment that a key was reserved, and the whole
 * response is held back as long as the container's thread works at it. A response that is written
 * by other threads, such as a stream of events, or is larger than the limit, is sent as it comes.
 */
final class HeldServletResponse extends HttpServletResponseWrapper {
  private static final int UNKNOWN = -1;

  private final ResponseWork work;
  private final Recording recording; // null: responses are not kept
  private boolean holdsBody;
  private boolean holdsEnd = true;
  private volatile long declared = UNKNOWN; // the length of the body
  private long sent; // bytes of the body, with the last one
  private int last = UNKNOWN; // the last byte, if it is held back
  private ServletOutputStream stream; // null: nobody has asked for it
  private boolean givesWriter; // whether the container's writer is used
  private volatile PrintWriter writer; // null: nobody has asked for another one
  private volatile boolean draining;

  /**
   * Creates a response.
   *
   * @param work creates the work that ends with this response, which is recorded or not (null)
   * @param request null if responses are not kept
   * @param limit the size of the largest body that is kept
   */
  HeldServletResponse(
      HttpServletResponse response,
      Function<Recording, ResponseWork> work,
      RecordedRequest request,
      int limit) {
    super(response);
    this.recording = request == null ? null : new Copy(request, limit);
    this.work = work.apply(recording);
  }

  ResponseWork work() {
    return work;
  }

  /** Holds the body back, if it is recorded and none of it was sent. */
  synchronized void hold() {
    holdsBody = recording != null && recording.isEmpty();
  }

  /** Sends the body that was held back. */
  void release() throws IOException {
    drain();
    synchronized (this) {
      sendBody();
    }
  }

  /** Sends what was held back, and holds nothing back from now on. */
  void finish() throws IOException {
    release();
    synchronized (this) {
      holdsEnd = false;
      if (last >= 0) {
        getResponse().getOutputStream().write(last);
        last = UNKNOWN;
      }
    }
  }

  /** Takes what the writer has, without a flush. The writer has a lock, too, so this needs none. */
  private void drain() {
    if (writer != null) {
      draining = true;
      writer.flush();
      draining = false;
    }
  }

  private synchronized void write(byte[] bytes, int offset, int length) throws IOException {
    if (recording != null && recording.isStarted()) {
      if (recording.add(bytes, offset, length) && holdsBody) {
        return;
      }
      sendBody();
    }
    send(bytes, offset, length);
  }

  private void sendBody() throws IOException {
    if (holdsBody) {
      holdsBody = false;
      byte[] body = recording.body();
      send(body, 0, body.length);
    }
  }

  private void send(byte[] bytes, int offset, int length) throws IOException {
    if (length == 0) {
      return;
    }
    sent += length;
    int held = isAllSent() ? 1 : 0;
    if (length > held) {
      getResponse().getOutputStream().write(bytes, offset, length - held);
    }
    if (held > 0) {
      last = bytes[offset + length - 1] & 0xff;
    }
  }

  private boolean isAllSent() {
    return sent == declared && holdsEnd && work.isBegun();
  }

  /** Returns whether a flush has to wait, because it would send what is held back, or the end. */
  private synchronized boolean holdsFlush() {
    return draining
        || (holdsBody && recording.isStarted())
        || isAllSent()
        || (hasNoBody() && holdsEnd && work.isBegun());
  }

  private boolean hasNoBody() {
    return getStatus() == SC_NO_CONTENT || getStatus() == SC_NOT_MODIFIED;
  }

  @Override
  public void flushBuffer() throws IOException {
    if (!holdsFlush()) {
      super.flushBuffer();
    }
  }

  @Override
  public void sendError(int status) throws IOException {
    drain();
    super.sendError(status);
    forgetBody();
  }

  @Override
  public void sendError(int status, String message) throws IOException {
    drain();
    super.sendError(status, message);
    forgetBody();
  }

  @Override
  public void reset() {
    drain();
    super.reset();
    forgetBody();
    declared = UNKNOWN;
  }

  @Override
  public void resetBuffer() {
    drain();
    super.resetBuffer();
    forgetBody();
  }

  private synchronized void forgetBody() {
    sent = 0;
    last = UNKNOWN;
    if (recording != null) {
      recording.clear();
    }
  }

  @Override
  public void setContentLength(int length) {
    declared = length;
    super.setContentLength(length);
  }

  @Override
  public void setContentLengthLong(long length) {
    declared = length;
    super.setContentLengthLong(length);
  }

  @Override
  public void setHeader(String name, String value) {
    declare(name, value);
    super.setHeader(name, value);
  }

  @Override
  public void addHeader(String name, String value) {
    declare(name, value);
    super.addHeader(name, value);
  }

  @Override
  public void setIntHeader(String name, int value) {
    declare(name, Integer.toString(value));
    super.setIntHeader(name, value);
  }

  private void declare(String name, String value) {
    if (HttpHeaders.CONTENT_LENGTH.equalsIgnoreCase(name)) {
      try {
        declared = Long.parseLong(value);
      } catch (NumberFormatException e) {
        declared = UNKNOWN;
      }
    }
  }

  @Override
  public synchronized ServletOutputStream getOutputStream() throws IOException {
    if (stream == null) {
      stream = new HeldStream(getResponse().getOutputStream());
    }
    return stream;
  }

  @Override
  public synchronized PrintWriter getWriter() throws IOException {
    if (writer == null && (givesWriter || (recording == null && !work.isBegun()))) {
      givesWriter = true;
      return super.getWriter();
    }
    if (writer == null) {
      setCharacterEncoding(getCharacterEncoding()); // as a container does
      writer = new PrintWriter(new OutputStreamWriter(getOutputStream(), getCharacterEncoding()));
    }
    return writer;
  }

  private final class Copy extends Recording {
    private final RecordedRequest request;

    Copy(RecordedRequest request, int limit) {
      super(limit);
      this.request = request;
    }

    @Override
    int status() {
      return getStatus();
    }

    @Override
    Map<String, List<String>> headers() {
      Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
      getHeaderNames().forEach(name -> headers.put(name, List.copyOf(getHeaders(name))));
      if (getContentType() != null) {
        headers.put(HttpHeaders.CONTENT_TYPE, List.of(getContentType()));
      }
      return headers;
    }

    @Override
    String fingerprint() {
      return request.fingerprint(ServletRequests.user(request));
    }

    @Override
    Optional<StoredResponse> response() {
      drain();
      return super.response();
    }
  }

  /** Passes on what is written, as far as it is not held back. */
  private final class HeldStream extends ServletOutputStream {
    private final ServletOutputStream out;

    HeldStream(ServletOutputStream out) {
      this.out = out;
    }

    @Override
    public void write(int value) throws IOException {
      write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      HeldServletResponse.this.write(bytes, offset, length);
    }

    @Override
    public void flush() throws IOException {
      if (!holdsFlush()) {
        out.flush();
      }
    }

    @Override
    public void close() throws IOException {
      if (!work.isBegun()) { // otherwise the container closes it, when the work has ended
        out.close();
      }
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
