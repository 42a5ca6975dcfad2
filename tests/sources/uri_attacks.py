"""URIs in specs that lead elsewhere than they seem, or to where clouds hand out credentials."""

__all__ = ["URIS"]

URIS: dict[str, str] = {
    "credentials of a machine": "http://169.254.169.254/data.csv",
    "the same by IPv6": "http://[::ffff:169.254.169.254]/data.csv",
    "the same in hexadecimal IPv6": "http://[::ffff:a9fe:a9fe]/data.csv",
    "link-local IPv6": "http://[fe80::1]/data.csv",
    "Amazon's by IPv6": "http://[fd00:ec2::254]/data.csv",
    "Alibaba's": "http://100.100.100.200/data.csv",
    "Google's": "http://metadata.google.internal/data.csv",
    "Google's with a dot": "http://Metadata.Google.Internal./data.csv",
    "wide digits": "http://\uff11\uff16\uff19.254.169.254/data.csv",
    "percents in the host": "http://169%2e254.169.254/data.csv",
    "backslash before the host": "http://example.org\\.evil.org/data.csv",
    "tab in the host": "http://exam\tple.org/data.csv",
    "line break in the host": "http://example.org\n.evil.org/data.csv",
    "no host": "http:///data.csv",
    "no port": "http://example.org:/data.csv",
    "capitals": "HTTP://169.254.169.254/data.csv",
    "user before a bucket": "s3://bucket@evil.org/data.csv",
    "port behind a bucket": "s3://bucket:8080/data.csv",
    "backslash in a bucket": "s3://bucket\\evil.org/data.csv",
    "no bucket": "s3:///etc/passwd",
    "endpoint in the query": "s3://bucket/data.csv?s3_endpoint=evil.org",
    "endpoint in percents": "s3://bucket/data.csv?s3%5Fendpoint=evil.org",
    "keys behind another parameter": "s3://bucket/data.csv?a=1&s3_access_key_id=x",
    "region in a fragment": "gs://bucket/data.csv#region=evil",
    "account of another cloud": "abfss://container@evil.org/data.csv",
    "account that seems Microsoft's": "az://c@a.dfs.core.windows.net.evil.org/data.csv",
    "file of another machine": "file://evil.org/data.csv",
}
