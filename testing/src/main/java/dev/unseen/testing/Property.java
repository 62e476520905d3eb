package dev.unseen.testing;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test that is run many times, each time with other {@link Choices}, which are its one parameter.
 *
 * <p>The seeds follow from the name of the test, so every build tries the same inputs. A failure is
 * shrunk, and reported with the values drawn and with its seed. Two system properties change what
 * is tried:
 *
 * <ul>
 *   <li>{@code -Dproperty.seed=N} runs only the try with this seed. Name the test too, with {@code
 *       -Dtest=FooTest#the_property}.
 *   <li>{@code -Dproperty.effort=N} runs N times as many tries, the further ones with new inputs.
 * </ul>
 */
@Documented
@Test
@ExtendWith(PropertyExtension.class)
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Property {
  int tries() default 1000;
}
