package dev.unseen.lab.paper;

import java.util.List;

/** A fact that the reproduction shows, with the numbers that prove it. */
record Finding(String title, String text, List<String> columns, List<List<String>> rows) {}
