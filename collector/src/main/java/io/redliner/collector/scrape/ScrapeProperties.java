// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.scrape;

import io.redliner.collector.http.HttpCredentials;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings for scraping instances.
 *
 * @param enabled whether they are scraped
 * @param interval how often each of them is scraped; 100 ms to 10 min
 * @param timeout an instance that has not answered after this long is given up until the next time; above 0, no longer than the
 * interval
 * @param maxBytes of one answer after decompression; 1 KiB to 256 MiB. All answers under way together may be four times as large.
 * @param maxSeries of one answer (lines of text that are no comments); further ones are left out
 * @param parallel how many requests are under way at the same time; 1 to 10000
 * @param credentials the login of the collector, and the certificates that it trusts
 */
@ConfigurationProperties("redliner.collector.scrape")
public record ScrapeProperties(@DefaultValue("false") boolean enabled, @DefaultValue("10s") Duration interval,
        @DefaultValue("3s") Duration timeout, @DefaultValue("16MB") DataSize maxBytes,
        @DefaultValue("20000") int maxSeries, @DefaultValue("100") int parallel,
        @DefaultValue HttpCredentials credentials) {

    private static final String WHERE = "redliner.collector.scrape.";

    public ScrapeProperties {
        if (interval.toMillis() < 100 || interval.toMinutes() > 10) {
            throw new IllegalArgumentException(WHERE + "interval is 100ms to 10m; not " + interval);
        }
        if (timeout.toMillis() < 1 || timeout.compareTo(interval) > 0) {
            throw new IllegalArgumentException(
                    WHERE + "timeout is above 0 and no longer than the interval " + interval + "; not " + timeout);
        }
        if (maxBytes.toKilobytes() < 1 || maxBytes.toMegabytes() > 256) {
            throw new IllegalArgumentException(WHERE + "max-bytes is 1KB to 256MB; not " + maxBytes);
        }
        if (maxSeries < 1 || parallel < 1 || parallel > 10_000) {
            throw new IllegalArgumentException(WHERE + "max-series is above 0 and parallel 1 to 10000; not " + maxSeries
                    + " and " + parallel);
        }
    }
}
