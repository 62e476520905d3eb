package dev.unseen.spring.idempotent;

import java.lang.reflect.Method;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.core.BridgeMethodResolver;
import org.springframework.core.MethodClassKey;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** Finds the methods with {@link Idempotent}, and checks them when their bean is created. */
final class IdempotentMethods extends StaticMethodMatcherPointcut {
  private final String usualHeader;
  private final Map<Class<?>, Map<Method, IdempotentOperation>> byClass = new ConcurrentHashMap<>();
  private final Map<MethodClassKey, Optional<IdempotentOperation>> byCall =
      new ConcurrentHashMap<>();

  IdempotentMethods(String usualHeader) {
    this.usualHeader = usualHeader;
    setClassFilter(type -> !of(type).isEmpty());
  }

  @Override
  public boolean matches(Method method, Class<?> targetClass) {
    return find(method, targetClass) != null;
  }

  /** Returns what is known of a method, or null if it has no annotation. */
  IdempotentOperation find(Method method, Class<?> targetClass) {
    MethodClassKey call = new MethodClassKey(method, targetClass);
    Optional<IdempotentOperation> known = byCall.get(call); // without a lock
    if (known == null) {
      known = Optional.ofNullable(search(method, targetClass));
      byCall.put(call, known);
    }
    return known.orElse(null);
  }

  /** Returns whether an annotation is at this method of a class. */
  boolean isAt(IdempotentOperation operation, Method method, Class<?> targetClass) {
    if (operation.method().equals(method)) {
      return true;
    }
    IdempotentOperation found = find(method, targetClass);
    return found != null && operation.method().equals(found.method());
  }

  private IdempotentOperation search(Method method, Class<?> targetClass) {
    Class<?> user = ClassUtils.getUserClass(targetClass);
    Method own =
        BridgeMethodResolver.findBridgedMethod(AopUtils.getMostSpecificMethod(method, user));
    return of(user).get(own);
  }

  /** Returns all methods that were found so far. */
  Collection<IdempotentOperation> all() {
    return byClass.values().stream().flatMap(found -> found.values().stream()).toList();
  }

  private Map<Method, IdempotentOperation> of(Class<?> type) {
    Class<?> user = ClassUtils.getUserClass(type);
    if (!AnnotationUtils.isCandidateClass(user, Idempotent.class)) {
      return Map.of();
    }
    Map<Method, IdempotentOperation> known = byClass.get(user);
    if (known == null) {
      known = search(user);
      byClass.put(user, known);
    }
    return known;
  }

  private Map<Method, IdempotentOperation> search(Class<?> type) {
    Map<Method, IdempotentOperation> found = new LinkedHashMap<>();
    for (Method method : List.of(ReflectionUtils.getUniqueDeclaredMethods(type))) {
      if (method.isBridge() || method.getDeclaringClass() == Object.class) {
        continue;
      }
      Idempotent annotation = AnnotatedElementUtils.findMergedAnnotation(method, Idempotent.class);
      if (annotation != null) {
        found.put(method, new IdempotentOperation(method, annotation, usualHeader));
      }
    }
    return Map.copyOf(found);
  }
}
