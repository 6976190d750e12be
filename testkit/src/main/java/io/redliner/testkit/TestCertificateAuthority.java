// SPDX-License-Identifier: Apache-2.0
package io.redliner.testkit;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** A certificate authority of its own, in a folder. Not safe for use by several threads. */
public final class TestCertificateAuthority {

    private static final char[] PASSWORD = "changeit".toCharArray();

    private static final Duration VALIDITY = Duration.ofDays(2);

    private final Path folder;

    private final Map<String, Issued> issued = new HashMap<>();

    private final Issued authority;

    private record Issued(KeyPair keys, X509Certificate certificate) {}

    /** @param authority its name, and that of a new folder in the folder */
    public TestCertificateAuthority(Path folder, String authority) {
        this.folder = folder.resolve(authority);
        try {
            Files.createDirectories(this.folder);
            KeyPair keys = keys();
            X500Principal name = new X500Principal("CN=" + authority);
            this.authority = new Issued(keys, signed(builder(name, name, keys)
                    .addExtension(Extension.basicConstraints, true, new BasicConstraints(true)), keys));
            write("authority", this.authority);
        } catch (IOException | GeneralSecurityException | OperatorCreationException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Returns the certificate of the authority itself, PEM. */
    public Path authority() {
        return folder.resolve("authority.pem");
    }

    /** Returns a certificate for this name and the SPIFFE id {@code spiffe://redliner.test/NAME}, PEM. */
    public Path certificate(String name) {
        try {
            KeyPair keys = keys();
            GeneralNames names = new GeneralNames(new GeneralName[]{new GeneralName(GeneralName.dNSName, name),
                new GeneralName(GeneralName.uniformResourceIdentifier, "spiffe://redliner.test/" + name)});
            Issued one = new Issued(keys, signed(
                    builder(authority.certificate.getSubjectX500Principal(), new X500Principal("CN=" + name), keys)
                            .addExtension(Extension.subjectAlternativeName, false, names),
                    authority.keys));
            issued.put(name, one);
            write(name, one);
            return folder.resolve(name + ".pem");
        } catch (IOException | GeneralSecurityException | OperatorCreationException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Its key, PEM. */
    public Path key(String name) {
        return folder.resolve(name + ".key");
    }

    /** Returns a store with that certificate and its key alone, under {@code changeit}. */
    public KeyStore store(String name) {
        Issued one = Objects.requireNonNull(issued.get(name), () -> "no certificate for " + name);
        try {
            KeyStore own = KeyStore.getInstance("PKCS12");
            own.load(null, PASSWORD);
            own.setKeyEntry(name, one.keys.getPrivate(), PASSWORD,
                    new X509Certificate[]{one.certificate, authority.certificate});
            return own;
        } catch (IOException | GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static KeyPair keys() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        return generator.generateKeyPair();
    }

    private X509v3CertificateBuilder builder(X500Principal issuer, X500Principal subject, KeyPair keys) {
        Instant now = Instant.now();
        return new JcaX509v3CertificateBuilder(issuer, BigInteger.valueOf(issued.size() + 1L), Date.from(now),
                Date.from(now.plus(VALIDITY)), subject, keys.getPublic());
    }

    private static X509Certificate signed(X509v3CertificateBuilder certificate, KeyPair by)
            throws GeneralSecurityException, OperatorCreationException {
        return new JcaX509CertificateConverter().getCertificate(
                certificate.build(new JcaContentSignerBuilder("SHA256withECDSA").build(by.getPrivate())));
    }

    private void write(String name, Issued one) throws IOException, GeneralSecurityException {
        Files.writeString(folder.resolve(name + ".pem"), pem("CERTIFICATE", one.certificate.getEncoded()));
        Files.writeString(folder.resolve(name + ".key"), pem("PRIVATE KEY", one.keys.getPrivate().getEncoded()));
    }

    private static String pem(String type, byte[] content) {
        return "-----BEGIN " + type + "-----\n"
                + Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(content)
                + "\n-----END " + type + "-----\n";
    }
}
