package dev.unseen.lab.paper;

import java.util.List;

/** Something the reproduction shows, and the numbers that prove it. */
record Finding(String title, String text, List<String> columns, List<List<String>> rows) {}
