// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.report;

import io.redliner.controller.core.run.JudgedWindow;
import java.io.IOException;

/** The windows of a run in order, however many there are: they are never all in memory at once. */
public interface WindowSource {

    /** Takes windows one by one. */
    @FunctionalInterface
    interface Taker {

        /**
         * Takes the next.
         *
         * @throws IOException when what it writes to is gone
         */
        void take(JudgedWindow window) throws IOException;
    }

    /**
     * Gives every window to the taker.
     *
     * @throws IOException of the taker
     */
    void forEach(Taker taker) throws IOException;
}
