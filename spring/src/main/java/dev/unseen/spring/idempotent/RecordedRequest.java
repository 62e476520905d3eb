package dev.unseen.spring.idempotent;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.Part;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import org.springframework.http.server.PathContainer;

/**
 * A servlet request whose body is hashed while it is read. What nobody reads is hashed in the end.
 *
 * <p>The container reads the bodies of forms itself: their parameters and parts are hashed.
 */
final class RecordedRequest extends HttpServletRequestWrapper {
  private final Fingerprint body = new Fingerprint();
  private HashedStream stream; // null: nobody has asked for it
  private BufferedReader reader; // null: nobody has asked for it
  private String fingerprint; // null: not known yet

  RecordedRequest(HttpServletRequest request) {
    super(request);
  }

  @Override
  public ServletInputStream getInputStream() throws IOException {
    if (stream == null) {
      stream = new HashedStream(super.getInputStream());
    }
    return stream;
  }

  @Override
  public BufferedReader getReader() throws IOException {
    if (reader == null) {
      String encoding = getCharacterEncoding();
      Charset charset = encoding == null ? StandardCharsets.ISO_8859_1 : Charset.forName(encoding);
      reader = new BufferedReader(new InputStreamReader(getInputStream(), charset));
    }
    return reader;
  }

  /**
   * Returns a hash of the request, or an empty text if it cannot be known.
   *
   * @param user the user's name
   */
  String fingerprint(String user) {
    if (fingerprint == null) {
      fingerprint = hash(user);
    }
    return fingerprint;
  }

  private String hash(String user) {
    String type = getContentType() == null ? "" : getContentType().toLowerCase(Locale.ROOT);
    boolean multipart = type.startsWith("multipart/form-data");
    boolean form = multipart || type.startsWith("application/x-www-form-urlencoded");
    try {
      List<String> facts =
          new ArrayList<>(
              List.of(
                  user,
                  getMethod(),
                  FilteredKeys.pathKey(PathContainer.parsePath(getRequestURI())),
                  String.valueOf(getQueryString())));
      if (form && stream != null) {
        return ""; // a handler has read it before the container could
      }
      if (form) {
        new TreeMap<>(getParameterMap())
            .forEach((name, values) -> facts.add(name + KeyText.join(List.of(values))));
      } else {
        getInputStream().readAllBytes();
      }
      if (multipart) {
        for (Part part : getParts()) {
          facts.add(part.getName());
          try (InputStream content = part.getInputStream()) {
            byte[] bytes = content.readAllBytes();
            body.add(bytes, 0, bytes.length);
          }
        }
      }
      return body.add(facts).hex();
    } catch (IOException | ServletException | IllegalStateException e) {
      return "";
    }
  }

  private final class HashedStream extends ServletInputStream {
    private final ServletInputStream in;

    HashedStream(ServletInputStream in) {
      this.in = in;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      int read = in.read(bytes, offset, length);
      if (read > 0) {
        body.add(bytes, offset, read);
      }
      return read;
    }

    @Override
    public boolean isFinished() {
      return in.isFinished();
    }

    @Override
    public boolean isReady() {
      return in.isReady();
    }

    @Override
    public void setReadListener(ReadListener listener) {
      in.setReadListener(listener);
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
