import { parameterNames, vdiNamespace } from './envelope.ts';
import { escapeXml } from './xml.ts';

/** The description of the service for the tools of others; SOAP 1.1, document/literal. */
export function wsdl(address: string): string {
  const required = new Set(['VDIXMLVersion', 'VDIXMLType', 'ProviderID', 'TransactionID', 'VDIXML']);
  const elements = parameterNames.map(
    (name) => `<xs:element name="${name}" type="xs:string" minOccurs="${required.has(name) ? 1 : 0}" nillable="true"/>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<wsdl:definitions name="VDIDataExchangeService" targetNamespace="${vdiNamespace}" xmlns:tns="${vdiNamespace}" xmlns:wsdl="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/" xmlns:xs="http://www.w3.org/2001/XMLSchema">
 <wsdl:types><xs:schema targetNamespace="${vdiNamespace}" elementFormDefault="qualified">
  <xs:element name="VDIDataExchange"><xs:complexType><xs:sequence>${elements.join('')}</xs:sequence></xs:complexType></xs:element>
  <xs:element name="VDIDataExchangeResponse"><xs:complexType><xs:sequence><xs:element name="VDIDataExchangeResult" type="xs:string" minOccurs="0" nillable="true"/></xs:sequence></xs:complexType></xs:element>
 </xs:schema></wsdl:types>
 <wsdl:message name="VDIDataExchangeIn"><wsdl:part name="parameters" element="tns:VDIDataExchange"/></wsdl:message>
 <wsdl:message name="VDIDataExchangeOut"><wsdl:part name="parameters" element="tns:VDIDataExchangeResponse"/></wsdl:message>
 <wsdl:portType name="IVDIDataExchangeService"><wsdl:operation name="VDIDataExchange"><wsdl:input message="tns:VDIDataExchangeIn"/><wsdl:output message="tns:VDIDataExchangeOut"/></wsdl:operation></wsdl:portType>
 <wsdl:binding name="VDIDataExchangeBinding" type="tns:IVDIDataExchangeService"><soap:binding transport="http://schemas.xmlsoap.org/soap/http" style="document"/>
  <wsdl:operation name="VDIDataExchange"><soap:operation soapAction="${vdiNamespace}/IVDIDataExchangeService/VDIDataExchange" style="document"/><wsdl:input><soap:body use="literal"/></wsdl:input><wsdl:output><soap:body use="literal"/></wsdl:output></wsdl:operation>
 </wsdl:binding>
 <wsdl:service name="VDIDataExchangeService"><wsdl:port name="VDIDataExchangePort" binding="tns:VDIDataExchangeBinding"><soap:address location="${escapeXml(address)}"/></wsdl:port></wsdl:service>
</wsdl:definitions>
`;
}
