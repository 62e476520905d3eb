package dev.unseen.flink;

import com.sun.management.HotSpotDiagnosticMXBean;
import dev.unseen.text.Print;
import java.lang.management.ManagementFactory;

/**
 * How much heap a shard takes. The G1 collector, which is Java's default, divides the heap into
 * regions, and gives an array of half a region and more whole regions of its own: a shard of 2 MiB
 * takes 4 MiB if that is the size of a region, and with it a filter of 256 MiB takes 512 MiB.
 *
 * @param regionBytes the size of a region; 0: the collector has none
 */
record HeapRegions(long regionBytes) {
  /** Those of this process. */
  static final HeapRegions PROCESS = ofProcess();

  /** The header of an array, and the words that the storage of a filter leaves free. */
  private static final int ARRAY_BYTES = 64;

  private static HeapRegions ofProcess() {
    HotSpotDiagnosticMXBean java =
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    try {
      boolean regions = Boolean.parseBoolean(java.getVMOption("UseG1GC").getValue());
      return new HeapRegions(
          regions ? Long.parseLong(java.getVMOption("G1HeapRegionSize").getValue()) : 0);
    } catch (IllegalArgumentException | NullPointerException e) {
      return new HeapRegions(0); // another Java machine, which has other options
    }
  }

  /** Returns the heap that the storage of a shard takes. */
  long heapOf(long shardBytes) {
    long array = shardBytes + ARRAY_BYTES;
    return array * 2 <= regionBytes || regionBytes == 0
        ? shardBytes
        : (array + regionBytes - 1) / regionBytes * regionBytes;
  }

  /** Returns what a message adds if a shard takes more heap than it has bytes. */
  String remark(long shardBytes) {
    return heapOf(shardBytes) == shardBytes
        ? ""
        : ". The G1 collector gives each shard of %s whole regions of %s; -XX:G1HeapRegionSize=32m or -XX:+UseParallelGC in env.java.opts.taskmanager can save heap"
            .formatted(Print.bytes(shardBytes), Print.bytes(regionBytes));
  }
}
