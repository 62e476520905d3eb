/**
 * Draws simple pictures and writes them as SVG. Start with {@link dev.unseen.draw.Drawing}.
 *
 * <p>This is a separate module because the command, the lab and the benchmarks all draw, and share
 * nothing else about pictures.
 */
module dev.unseen.draw {
  exports dev.unseen.draw;
}
