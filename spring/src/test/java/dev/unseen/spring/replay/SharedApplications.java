package dev.unseen.spring.replay;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.springframework.beans.factory.config.RuntimeBeanReference;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.http.client.ReactorResourceFactory;
import org.springframework.util.ClassUtils;

/** Starts the application, once for each server and store. */
final class SharedApplications {
  private static final Map<String, ConfigurableApplicationContext> RUNNING =
      new ConcurrentHashMap<>();

  private SharedApplications() {}

  /**
   * Returns an application that other tests use, too.
   *
   * @param server servlet, or for WebFlux netty or tomcat
   * @param store none, caffeine or jdbc
   */
  static ConfigurableApplicationContext with(String server, String store) {
    return RUNNING.computeIfAbsent(
        server + " " + store,
        any ->
            start(
                server,
                "unseen.idempotency.replay.store=" + store,
                "unseen.idempotency.replay.max-body=9999B"));
  }

  /**
   * Starts an application of its own; with keys in this process, unless properties say otherwise.
   *
   * @param server servlet, or for WebFlux netty or tomcat
   */
  static ConfigurableApplicationContext start(String server, String... properties) {
    boolean servlet = server.equals("servlet");
    List<String> all =
        new ArrayList<>(
            List.of(
                "server.port=0",
                "spring.main.web-application-type=" + (servlet ? "servlet" : "reactive"),
                "spring.main.register-shutdown-hook=false",
                "spring.datasource.generate-unique-name=true",
                "spring.sql.init.schema-locations=classpath:responses.sql",
                "unseen.idempotency.filter.enabled=true",
                "unseen.idempotency.filter.required=true",
                "unseen.idempotency.filter.url-patterns=/filtered/*"));
    all.addAll(List.of(properties));
    if (all.stream().noneMatch(property -> property.startsWith("unseen.remote"))) {
      all.addAll(List.of("unseen.memory=64KB", "unseen.max-reservations=100"));
    }
    return new SpringApplicationBuilder(ReplayApplication.class)
        .initializers(
            context -> {
              if (!servlet) {
                useServer(server, (GenericApplicationContext) context);
              }
            })
        .run(all.stream().map(property -> "--" + property).toArray(String[]::new));
  }

  /** Lets WebFlux use a server, although others are on the class path. */
  private static void useServer(String server, GenericApplicationContext context) {
    RootBeanDefinition factory = new RootBeanDefinition();
    factory.setBeanClassName(
        Stream.of(
                "org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory",
                "org.springframework.boot.tomcat.reactive.TomcatReactiveWebServerFactory",
                // Spring Boot 3.5
                "org.springframework.boot.web.embedded.netty.NettyReactiveWebServerFactory",
                "org.springframework.boot.web.embedded.tomcat.TomcatReactiveWebServerFactory")
            .filter(name -> name.contains("." + server) && ClassUtils.isPresent(name, null))
            .findFirst()
            .orElseThrow());
    if (server.equals("netty")) { // the usual resources end with the first application that ends
      context.registerBean(
          "reactorResourceFactory",
          ReactorResourceFactory.class,
          bean ->
              bean.getPropertyValues()
                  .add("useGlobalResources", false)
                  .add("shutdownQuietPeriod", Duration.ZERO));
      factory
          .getPropertyValues()
          .add("resourceFactory", new RuntimeBeanReference("reactorResourceFactory"));
    }
    context.registerBeanDefinition("reactiveWebServerFactory", factory);
  }
}
