// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.core.port;

import io.redliner.contract.sender.SenderProof;
import io.redliner.controller.core.catalog.ServiceReport;
import io.redliner.controller.core.run.WindowVerdict;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Delivers verdicts and lease statuses to a {@link Listener}, from {@link #start} until {@link #close}. */
public interface VerdictSource extends AutoCloseable {

    /** Starts the delivery, once. */
    void start();

    /** Returns true while the source works; false means that only a restart of the process helps. */
    boolean alive();

    /** Returns true while new records are delivered. */
    boolean reading();

    /** Returns the failure that ended the source; null while it works. */
    @Nullable
    String failure();

    @Override
    void close();

    /** Receives the records. The source calls it on its own thread; it must not block. */
    interface Listener {

        /** A window was judged. */
        void verdict(String service, WindowVerdict verdict);

        /** A verdict named the redirectors whose proxies report to collectors. */
        void redirectorsReported(String service, List<String> redirectors);

        /**
         * A redirector reported its state of a service.
         *
         * @param proof of the sender; absent when the report has none
         */
        void status(ServiceReport report, @Nullable SenderProof proof);
    }
}
