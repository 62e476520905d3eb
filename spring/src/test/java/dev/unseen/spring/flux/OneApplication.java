package dev.unseen.spring.flux;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;

/** Tests of one reactive application, which is started once. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@SpringBootTest(
    webEnvironment = WebEnvironment.RANDOM_PORT,
    properties = {
      "spring.main.web-application-type=reactive",
      "unseen.memory=64KB",
      "unseen.reservation-timeout=1h",
      "unseen.max-reservations=100",
      "unseen.deduplicators.filter.memory=64KB",
      "unseen.deduplicators.filter.max-reservations=100",
      "unseen.idempotency.filter.enabled=true",
      "unseen.idempotency.filter.required=true",
      "unseen.idempotency.filter.deduplicator=filter",
      "unseen.idempotency.filter.url-patterns=/filtered/*",
      "logging.level.root=off"
    })
@Timeout(180)
@interface OneApplication {}
