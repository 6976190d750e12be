// SPDX-License-Identifier: Apache-2.0
package io.redliner.benchmarks.controller;

import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Option;

/** Of benches that look at the controller's pages. */
final class ViewerOptions {

    @Option(names = "--chromium", required = true, description = "its binary")
    private Path chromium = Path.of("chromium");

    @Option(names = "--jvm", description = "options of the controller's JVM; default: ${DEFAULT-VALUE}")
    private List<String> jvm = ControllerPart.SMALL_JVM;

    ChromiumPart browser() {
        return new ChromiumPart(chromium);
    }

    List<String> jvm() {
        return jvm;
    }
}
