/**
 * Draws simple pictures and writes them as SVG. A {@link dev.unseen.draw.Drawing} is a list of
 * shapes in the colors of the {@link dev.unseen.draw.Palette}.
 */
package dev.unseen.draw;
