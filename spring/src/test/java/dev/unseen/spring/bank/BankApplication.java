package dev.unseen.spring.bank;

import dev.unseen.Deduplicator;
import dev.unseen.Keys;
import dev.unseen.spring.DeduplicatorFactory;
import dev.unseen.spring.idempotent.Idempotent;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.security.Principal;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import reactor.core.publisher.Mono;

/** An application that shows how often each of its methods has run. */
@SpringBootApplication
public class BankApplication {
  record Transfer(long id) {}

  @Bean
  Deduplicator<Transfer> transfersDeduplicator(DeduplicatorFactory deduplicators) {
    return deduplicators.create("transfers", Keys.longs(Transfer::id));
  }

  /** Takes the name of the user from a header, as no real application should. */
  @Bean
  FilterRegistrationBean<Filter> login() {
    FilterRegistrationBean<Filter> login =
        new FilterRegistrationBean<>(
            (request, response, chain) ->
                chain.doFilter(
                    new HttpServletRequestWrapper((HttpServletRequest) request) {
                      @Override
                      public Principal getUserPrincipal() {
                        String user = getHeader("User");
                        return user == null ? null : () -> user;
                      }
                    },
                    response));
    login.setOrder(-100);
    return login;
  }

  /** What the test looks at. The controller is behind a proxy, which has other fields. */
  @Component
  static class Ledger {
    final Map<String, AtomicInteger> runs = new ConcurrentHashMap<>();
    volatile CountDownLatch entered = new CountDownLatch(0);
    volatile CountDownLatch leave = new CountDownLatch(0);
    volatile CompletableFuture<String> later = new CompletableFuture<>();

    int run(String method) {
      return runs.computeIfAbsent(method, any -> new AtomicInteger()).incrementAndGet();
    }

    int runsOf(String method) {
      return runs.getOrDefault(method, new AtomicInteger()).get();
    }
  }

  @RestController
  static class Bank {
    private final Ledger ledger;

    Bank(Ledger ledger) {
      this.ledger = ledger;
    }

    @PostMapping("/slow")
    @Idempotent
    String slow() throws InterruptedException {
      ledger.run("slow");
      ledger.entered.countDown();
      ledger.leave.await();
      return "done";
    }

    @PostMapping("/failing")
    @Idempotent
    String failing() {
      if (ledger.run("failing") == 1) {
        throw new IllegalStateException("the first time it fails");
      }
      return "done";
    }

    @PostMapping("/rejecting")
    @Idempotent
    ResponseEntity<String> rejecting() {
      return ledger.run("rejecting") == 1
          ? ResponseEntity.status(422).body("not yet")
          : ResponseEntity.ok("done");
    }

    @PostMapping("/later")
    @Idempotent
    CompletableFuture<String> later() {
      ledger.run("later");
      ledger.entered.countDown();
      return ledger.later;
    }

    @PostMapping("/mono")
    @Idempotent
    Mono<String> mono() {
      return Mono.fromSupplier(() -> "run " + ledger.run("mono"));
    }

    @PostMapping("/parameter")
    @Idempotent(key = "{#account, #amount}", deduplicator = "small")
    String parameter(@RequestParam String account, @RequestParam int amount) {
      return "run " + ledger.run("parameter");
    }

    @PostMapping("/optional")
    @Idempotent(required = false)
    String optional() {
      return "run " + ledger.run("optional");
    }

    @PostMapping("/filtered/{what}")
    Object filtered(@PathVariable String what) {
      int count = ledger.run(what);
      if (what.equals("fails") && count == 1) {
        return ResponseEntity.badRequest().body("not yet");
      }
      if (what.equals("throws") && count == 1) {
        throw new IllegalStateException("the first time it fails");
      }
      if (what.equals("callable")) {
        return (Callable<String>) () -> "run " + count;
      }
      if (what.equals("timeout")) {
        return new DeferredResult<>(1L, "what was known in time");
      }
      if (what.equals("large")) {
        return new byte[64 << 20];
      }
      return "run " + count;
    }
  }
}
