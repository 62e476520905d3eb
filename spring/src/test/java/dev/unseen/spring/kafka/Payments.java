package dev.unseen.spring.kafka;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.stereotype.Component;

/** Notes what was charged. The first try of each order that is named so fails. */
@Component
class Payments {
  final List<String> tried = new CopyOnWriteArrayList<>();
  final List<String> charged = new CopyOnWriteArrayList<>();

  void charge(String order) {
    tried.add(order);
    if (order.endsWith("fails first") && !tried.subList(0, tried.size() - 1).contains(order)) {
      throw new IllegalStateException("no connection");
    }
    charged.add(order);
  }
}
