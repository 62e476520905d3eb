package dev.unseen.draw;

/** The colors that all drawings share, as {@code #rrggbb}. */
public final class Palette {
  public static final String BACKGROUND = "#ffffff";

  /** The color of titles, names and measured points. */
  public static final String INK = "#222222";

  /** The color of axes and remarks. */
  public static final String MUTED = "#666666";

  /** The color of the lines behind the data. */
  public static final String GRID = "#e4e4e4";

  // Okabe and Ito's colors, which color-blind readers can distinguish.
  // Their yellow is left out, because it is too pale for a line on white.
  public static final String SKY_BLUE = "#56b4e9";
  public static final String ORANGE = "#e69f00";
  public static final String PURPLE = "#cc79a7";
  public static final String GREEN = "#009e73";
  public static final String BLUE = "#0072b2";
  public static final String VERMILION = "#d55e00";

  private Palette() {}
}
