// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.scale;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** x */
@State(Scope.Thread)
public class HeartBenchmark {
    /** x */
    @Benchmark
    public int x() {
        return 1;
    }
}
