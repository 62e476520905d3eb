package dev.unseen.spring.remote;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.unseen.spring.idempotent.Idempotent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** An instance that books each request in a file. It fails now and then, and can be killed. */
@SpringBootApplication
public class LedgerApplication {
  static final int FAILURES_PERCENT = 5;

  public static void main(String[] args) {
    WebServerApplicationContext running =
        (WebServerApplicationContext) SpringApplication.run(LedgerApplication.class, args);
    System.out.println("port " + running.getWebServer().getPort());
  }

  @RestController
  static class Ledger {
    private final FileChannel file;

    Ledger(@Value("${ledger}") Path file) throws IOException {
      this.file = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    @PostMapping("/annotated/{id}")
    @Idempotent
    ResponseEntity<String> annotated(@PathVariable String id) throws IOException {
      return book(id);
    }

    @PostMapping("/filtered/{id}")
    ResponseEntity<String> filtered(@PathVariable String id) throws IOException {
      return book(id);
    }

    private ResponseEntity<String> book(String id) throws IOException {
      if (ThreadLocalRandom.current().nextInt(100) < FAILURES_PERCENT) {
        throw new IllegalStateException("out of luck"); // before anything is booked
      }
      file.write(ByteBuffer.wrap((id + "\n").getBytes(UTF_8))); // survives a kill of this process
      return ResponseEntity.ok("booked");
    }
  }
}
