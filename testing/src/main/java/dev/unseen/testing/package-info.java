/**
 * Property tests on plain JUnit: a test states what holds for every input, and the library looks
 * for an input that breaks it.
 *
 * <p>A {@link dev.unseen.testing.Property} draws its input from {@link dev.unseen.testing.Choices}
 * by {@link dev.unseen.testing.Generators}:
 *
 * <pre>{@code
 * @Property(tries = 300)
 * void reversing_twice_changes_nothing(Choices choices) {
 *   List<Integer> list = choices.draw("list", lists(ints(), 0, 20));
 *   assertThat(reversed(reversed(list))).isEqualTo(list);
 * }
 * }</pre>
 *
 * <p><b>Nomenclature.</b> A <i>choice</i> is one number that a generator asked for. A <i>try</i> is
 * one run of a property; all its choices follow from its <i>seed</i>. To <i>shrink</i> is to
 * replace the choices of a try that fails by fewer and simpler ones that fail in the same way.
 */
package dev.unseen.testing;
