// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone;

import io.redliner.embedded.ProcessListener;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;

/** Prints on the terminal what happens to the processes, and ends the command when users are no longer served. */
final class ProcessReport implements ProcessListener {

    private final Consumer<String> output;

    private final ShutdownSequence shutdown;

    private final CompletableFuture<String> end = new CompletableFuture<>();

    /** @param shutdown after it has begun nothing is written: that processes end is expected then */
    ProcessReport(Consumer<String> output, ShutdownSequence shutdown) {
        this.output = output;
        this.shutdown = shutdown;
    }

    @Override
    public void changed(String text) {
        if (!shutdown.interrupted()) {
            output.accept(text);
        }
    }

    @Override
    public void gaveUp(String text) {
        changed(text);
        end.complete(text);
    }

    /** Waits until users cannot be served any more, and returns the failure that says why. */
    IllegalStateException awaitFailure() throws InterruptedException {
        try {
            return new IllegalStateException("RedLiner ends: users are not served any more. " + end.get());
        } catch (ExecutionException impossible) {
            return new IllegalStateException(impossible);
        }
    }
}
