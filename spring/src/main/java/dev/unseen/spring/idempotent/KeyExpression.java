package dev.unseen.spring.idempotent;

import dev.unseen.spring.BadOptionException;
import java.lang.reflect.Method;
import java.util.LinkedHashSet;
import java.util.Set;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.StandardEvaluationContext;

/** The expression of a key, with the parameters of its method as variables. */
final class KeyExpression {
  private static final SpelExpressionParser PARSER = new SpelExpressionParser();
  private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

  private final Method method;
  private final SpelExpression expression;
  private final StandardEvaluationContext found = new StandardEvaluationContext(); // getters

  /**
   * Parses an expression.
   *
   * @throws BadOptionException if it cannot be parsed, or names what is not a parameter
   */
  KeyExpression(Method method, String text) {
    this.method = method;
    try {
      this.expression = PARSER.parseRaw(text);
    } catch (ParseException e) {
      throw rejected(text, e.getMessage(), e);
    }
    Set<String> known = variables(method);
    requireKnown(expression.getAST(), known, text);
  }

  private static Set<String> variables(Method method) {
    Set<String> known = new LinkedHashSet<>();
    String[] names = NAMES.getParameterNames(method);
    for (int i = 0; i < method.getParameterCount(); i++) {
      if (names != null) {
        known.add("#" + names[i]);
      }
      known.add("#a" + i);
      known.add("#p" + i);
    }
    known.add("#root");
    known.add("#this");
    return known;
  }

  /** Rejects a misspelled parameter, which would otherwise be null in every call. */
  private void requireKnown(SpelNode node, Set<String> known, String text) {
    if (node instanceof VariableReference && !known.contains(node.toStringAST())) {
      throw rejected(
          text,
          "%s is not a parameter; known: %s"
              .formatted(node.toStringAST(), String.join(", ", known)),
          null);
    }
    for (int i = 0; i < node.getChildCount(); i++) {
      requireKnown(node.getChild(i), known, text);
    }
  }

  private BadOptionException rejected(String text, String why, Exception cause) {
    return new BadOptionException(
        "The key '%s' of @Idempotent at %s is rejected: %s."
            .formatted(text, IdempotentOperation.name(method), why),
        "Correct the expression. It can use the parameters of the method, such as #order.id; they have names if the code is compiled with -parameters.",
        cause);
  }

  /**
   * Returns the key of a call, or null if it has none.
   *
   * @throws EvaluationException if the expression fails
   */
  String evaluate(Object target, Object[] arguments, BeanFactory beans) {
    MethodBasedEvaluationContext context =
        new MethodBasedEvaluationContext(target, method, arguments, NAMES);
    found.applyDelegatesTo(context); // otherwise each call looks for them again
    context.setBeanResolver(new BeanFactoryResolver(beans));
    return KeyText.of(expression.getValue(context));
  }
}
