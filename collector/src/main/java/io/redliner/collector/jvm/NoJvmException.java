// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.jvm;

import java.io.IOException;

/** A local process is no JVM, and the settings do not name it as one. */
final class NoJvmException extends IOException {

    private static final long serialVersionUID = 1L;

    NoJvmException() {
        super("the process is no JVM");
    }
}
