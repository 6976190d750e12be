// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.runstats;

/**
 * The times at which an instance received requests. Windows with missing observations are left out.
 *
 * @param firstSecond time of its first request, in seconds since the run's first window
 * @param requests number of its requests
 * @param silentSeconds seconds since its last request
 * @param longestSilentSeconds longest time between two requests
 */
public record InstanceActivity(double firstSecond, long requests, double silentSeconds, double longestSilentSeconds) {

    static InstanceActivity from(double second, long requests) {
        return new InstanceActivity(second, requests, 0, 0);
    }

    InstanceActivity then(double seconds, long more) {
        if (more > 0) {
            return new InstanceActivity(firstSecond, requests + more, 0, longestSilentSeconds);
        }
        double silent = silentSeconds + seconds;
        return new InstanceActivity(firstSecond, requests, silent, Math.max(longestSilentSeconds, silent));
    }
}
