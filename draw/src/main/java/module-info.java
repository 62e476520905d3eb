/**
 * Simple drawings, written as SVG or PNG. Start at {@link dev.unseen.draw.Drawing}.
 *
 * <p>It is a module of its own because the command, the lab and the benchmarks all draw, and share
 * nothing else that has to do with pictures.
 */
module dev.unseen.draw {
  requires java.desktop;

  exports dev.unseen.draw;
}
