// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.evidence;

/**
 * A gauge over several windows.
 *
 * @param windows in which it was reported, >= 1
 * @param mean over those windows
 * @param most of those windows
 * @param last of those windows
 */
public record Level(int windows, double mean, double most, double last) {

    static Level of(double value) {
        return new Level(1, value, value, value);
    }

    Level then(Level later) {
        int all = windows + later.windows;
        return new Level(all, (mean * windows + later.mean * later.windows) / all, Math.max(most, later.most),
                later.last);
    }
}
